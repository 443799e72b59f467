import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { signal } from "@preact/signals";
import { createToolset } from "../../src/adapters/toolset.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import {
  configOffering,
  EDITING_TOOLS,
  findOwnLine,
  startChange,
  toolsOf,
} from "../../src/playground/model-tools.ts";
import {
  MountedClient,
  SERVED,
  type TurnFamily,
} from "../../src/playground/state/mounted-client.ts";
import { startRealClient } from "../support/real-client.ts";

let client: TreeglassClient;

before(async () => {
  client = await startRealClient();
});

after(() => client.close());

const READING = ["Glob", "Grep", "LS", "Read", "Search"];
const OF_CODEX = ["grep_files", "list_dir", "list_directory", "read_file"];

describe("the tools of a model in the playground", () => {
  test("are all that read, without a family", async () => {
    await client.configure(configOffering(undefined));
    const names = (await client.listTools()).map(({ name }) => name);
    assert.deepEqual(names, [...READING, ...OF_CODEX]);
  });

  const families = [
    ["codex", ["apply_patch", "grep_files", "list_dir", "read_file"]],
    ["envelope", ["Edit", "Glob", "Grep", "LS", "MultiEdit", "Read", "Write"]],
    ["Forge", ["Edit", "Search", "Write", "forge_read", "list_directory"]],
  ] as const;
  test("propose changes that another tree does not get", async () => {
    const session = new MountedClient(client);
    const mount = (text: string) =>
      session.mount(
        { name: "tree", open: async () => ({ entries: { "a.txt": text } }) },
        () => undefined,
        new AbortController().signal,
      );
    await mount("one\n");
    await session.offerEditing("codex");
    const input = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
    const { isError } = await client.callTool("apply_patch", { input });
    const { entries } = await client.changes();
    assert.deepEqual([isError, entries.map(({ path }) => path)], [false, ["/repo/a.txt"]]);

    await mount("one\n");
    assert.deepEqual((await client.changes()).entries, []);
  });

  test("keep to the visitor's configuration, also with the tools that change", async () => {
    const session = new MountedClient(client);
    await session.mount(
      { name: "tree", open: async () => ({ entries: { "a.txt": "one\n", "b.txt": "" } }) },
      () => undefined,
      new AbortController().signal,
    );
    const list = async () => (await client.callTool("list_dir", { dir_path: "/repo" })).content;
    const whole = "Absolute path: /repo\na.txt\nb.txt";
    assert.equal(await list(), whole);
    const refused = session.configure({ tools: { output: { max_bytes: 0 } } });
    await assert.rejects(refused, { name: "ConfigInvalid" });
    assert.equal(await list(), whole);

    await session.configure({ tools: { mode: "disabled" } });
    const disabled = await list();
    assert.notEqual(disabled, whole);
    await session.offerEditing("codex");
    assert.equal(await list(), disabled);
    await session.configure({});
    assert.equal(await list(), whole);
    const names = (await client.listTools()).map(({ name }) => name);
    assert.ok(names.includes("apply_patch"), names.join());
    await session.offerEditing(undefined);
  });

  test("keep what was asked last, if several changes are asked at once", async () => {
    const session = new MountedClient(client);
    const own = { tools: { output: { max_bytes: 4000 } } };
    await Promise.all([
      session.configure({ tools: { mode: "disabled" } }),
      session.offerEditing("codex"),
      assert.rejects(session.configure({ tools: { output: { max_bytes: 0 } } })),
      session.offerEditing("Forge"),
      session.offerTool("MultiEdit"),
      session.configure(own),
    ]);

    const offered = (await client.listTools()).map(({ name }) => name);
    assert.ok(offered.includes("MultiEdit"), offered.join());
    const listed = await client.callTool("LS", { path: "." });
    assert.equal(listed.isError, false);
    await session.offerEditing("codex");
    await session.offerEditing("envelope");
    assert.deepEqual(
      (await client.listTools()).map(({ name }) => name),
      offered,
    );
    await session.configure({});
    await session.offerEditing(undefined);
  });

  test("come with the first call of one that changes, beside the visitor's configuration", async () => {
    const session = new MountedClient(client);
    const own = { tools: { output: { max_bytes: 4000 } } };
    await session.configure(own);
    const offered = async () => (await client.listTools()).map(({ name }) => name);
    await session.offerTool("apply_patch");
    assert.deepEqual(await offered(), [...READING, "apply_patch", ...OF_CODEX]);

    await session.offerEditing("Forge");
    const forge = await offered();
    await session.offerTool("Edit");
    await session.offerTool("LS");
    assert.deepEqual(await offered(), forge);

    await session.configure({});
    await session.offerTool("MultiEdit");
    assert.ok((await offered()).includes("MultiEdit"));
    await session.offerEditing(undefined);
  });

  test("wait for the end of a turn that uses those of another family", async () => {
    const turnFamily: TurnFamily = signal("codex");
    const session = new MountedClient(client, SERVED, turnFamily);
    await session.offerTool("apply_patch");
    const message =
      "The model's running turn uses the codex tools; those of another family are offered after it.";
    await assert.rejects(session.offerTool("MultiEdit"), { message });
    turnFamily.value = undefined;
    await session.offerTool("MultiEdit");
    assert.ok((await client.listTools()).some(({ name }) => name === "MultiEdit"));
    await session.offerEditing(undefined);
  });

  test("begin with a change of the open file, or with a new file, that they accept", async () => {
    const text = "one\n\none\nonly: 1\n";
    const session = new MountedClient(client);
    await session.mount(
      { name: "tree", open: async () => ({ entries: { "a b.txt": text } }) },
      () => undefined,
      new AbortController().signal,
    );
    const path = "a b.txt";
    const accepted: Record<string, boolean[]> = {};
    for (const { family, name, fullName } of EDITING_TOOLS) {
      await session.offerEditing(family);
      accepted[fullName] = [];
      for (const open of [{ path, line: findOwnLine(text) }, {}]) {
        await client.discardChanges();
        await client.callTool(family === "Forge" ? "forge_read" : "Read", { path });
        const args = JSON.stringify(startChange(fullName, open));
        const { isError } = await client.callTool(name, args);
        accepted[fullName].push(!isError);
      }
    }
    await session.offerEditing(undefined);
    assert.deepEqual(accepted, {
      "codex.apply_patch": [true, true],
      "envelope.Edit": [true, false],
      "envelope.Write": [true, true],
      "envelope.MultiEdit": [true, false],
      "forge.Read": [true, false],
      "forge.Edit": [true, true],
      "forge.Write": [true, true],
    });
  });

  for (const [family, expected] of families) {
    test(`are those of ${family} with the ones that change`, async () => {
      await client.configure(configOffering(family));
      const { tools } = await createToolset(client, { allow: toolsOf(family) });
      assert.deepEqual(tools.map(({ name }) => name).sort(), expected);
      const offered = (await client.listTools()).map(({ name }) => name);
      assert.deepEqual(
        [...READING, ...OF_CODEX].filter((name) => !offered.includes(name)),
        [],
      );
    });
  }
});
