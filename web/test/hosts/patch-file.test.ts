import assert from "node:assert/strict";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type PatchedClient, PatchFile, requireNoChanges } from "../../src/command/patch-file.ts";
import type { ToolDefinition, ToolResult } from "../../src/protocol/tools.ts";
import { DEFINITION, RESULT } from "../support/connected.ts";

describe("the file of --patch", () => {
  let folder: string;
  let tree: string;
  let told: string[];
  beforeEach(() => {
    folder = realpathSync.native(mkdtempSync(join(tmpdir(), "treeglass-patch-")));
    tree = join(folder, "tree");
    mkdirSync(tree);
    told = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const opened = (file: string) => new PatchFile(file, [tree], (sentence) => told.push(sentence));

  /** Returns a client whose patch is the names of the calls so far, and each of which changes. */
  function changing(file: PatchFile): PatchedClient {
    const names: string[] = [];
    return {
      listTools: async () => [],
      describeTools: async () => [],
      mounts: () => [],
      prepareCall: () => Promise.reject(new Error("no call is prepared")),
      callTool: async (name) => {
        names.push(name);
        file.onChanges();
        return { ...RESULT, content: name } as ToolResult;
      },
      exportChanges: (async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return names.join("\n");
      }) as PatchedClient["exportChanges"],
    };
  }

  for (const [name, reason] of [
    ["tree/out.patch", "it lies in the mounted folder '{tree}', which is never written;"],
    ["tree/..patch", "it lies in the mounted folder '{tree}', which is never written;"],
    ["link/out.patch", "it lies in the mounted folder '{tree}', which is never written;"],
    ["nowhere/out.patch", "the folder '{folder}/nowhere' does not exist"],
    ["tree", "it is a folder; name the file to write"],
  ] as const) {
    test(`is refused as ${name}`, () => {
      symlinkSync(tree, join(folder, "link"));
      const file = join(folder, name);
      const said = reason.replace("{tree}", tree).replace("{folder}", folder);
      const advice = said.endsWith(";") ? " name a file elsewhere" : "";
      assert.throws(() => opened(file), { message: `--patch ${file}: ${said}${advice}` });
      assert.deepEqual(readdirSync(tree), []);
    });
  }

  for (const [size, said] of [
    [1, "1 byte"],
    [1234, "1,234 bytes"],
  ] as const) {
    test(`is refused while it holds ${said}, and stays`, () => {
      const file = join(folder, "out.patch");
      writeFileSync(file, "+".repeat(size));
      assert.throws(() => opened(file), {
        message: `--patch ${file}: the file holds ${said}, perhaps changes that are not applied; apply them and move the file away, or name another`,
      });
      assert.equal(readFileSync(file, "utf8"), "+".repeat(size));
    });
  }

  test("lies beside a mounted folder whose name its own begins with", () => {
    mkdirSync(join(folder, "tree2"));
    opened(join(folder, "tree2", "out.patch"));
    opened(join(folder, "tree.patch"));
    assert.deepEqual(readdirSync(folder).sort(), ["tree", "tree2"]);
  });

  test("has what a call changed before the call is answered", async () => {
    const path = join(folder, "out.patch");
    const file = opened(path);
    const client = file.follow(changing(file));
    const before = readdirSync(folder);
    const seen = await Promise.all(
      ["one", "two", "three"].map(async (name) => {
        const { content } = await client.callTool(name, {});
        return [content, readFileSync(path, "utf8")];
      }),
    );
    assert.deepEqual(
      [before, seen, readdirSync(folder).sort(), told],
      [
        ["tree"],
        [
          ["one", "one"],
          ["two", "one\ntwo"],
          ["three", "one\ntwo\nthree"],
        ],
        ["out.patch", "tree"],
        [],
      ],
    );
  });

  test("has what a call changed that ended after it was given up", async () => {
    const path = join(folder, "out.patch");
    const file = opened(path);
    const client = changing(file);
    file.follow({ ...client, callTool: () => Promise.reject(new Error("given up")) });
    await client.callTool("late", {});
    await file.finished();
    assert.equal(readFileSync(path, "utf8"), "late");
  });

  test("stays a file where a link was, and what that led to stays as it was", async () => {
    const path = join(folder, "out.patch");
    writeFileSync(join(tree, "a.txt"), "");
    symlinkSync(join(tree, "a.txt"), path);
    const file = opened(path);
    await file.follow(changing(file)).callTool("one", {});
    assert.deepEqual(
      [
        lstatSync(path).isFile(),
        readFileSync(path, "utf8"),
        readFileSync(join(tree, "a.txt"), "utf8"),
      ],
      [true, "one", ""],
    );
  });

  test("that cannot be written is named, and the next call writes all changes", async () => {
    const place = join(folder, "place");
    const path = join(place, "out.patch");
    mkdirSync(place);
    const file = opened(path);
    const client = file.follow(changing(file));
    rmSync(place, { recursive: true });
    const { content } = await client.callTool("one", {});
    mkdirSync(place);
    await client.callTool("two", {});
    assert.deepEqual(
      [content, readFileSync(path, "utf8"), told.length, readdirSync(place)],
      ["one", "one\ntwo", 1, ["out.patch"]],
    );
    assert.ok(told[0]?.startsWith(`'${path}' cannot be written: ENOENT`));
  });

  test("is wanted by tools that change, and by no others", async () => {
    const write = { ...DEFINITION, name: "Write", annotations: { readOnlyHint: false } };
    const edit = { ...write, name: "Edit" };
    const offering = (...tools: object[]) => ({ listTools: async () => tools as ToolDefinition[] });
    await requireNoChanges(offering(DEFINITION));
    await assert.rejects(requireNoChanges(offering(edit, DEFINITION, write)), {
      message:
        "the configuration offers Edit, Write, and nothing would keep the changes that it proposes: name a file for the patch by --patch FILE",
    });
  });
});
