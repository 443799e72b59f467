import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { TreeglassClient } from "../../src/client/client.ts";
import { takeSource } from "../../src/client/wire-source.ts";
import { writeTar } from "../support/archives/tar-writer.ts";
import { writeZip } from "../support/archives/zip-writer.ts";
import { reportWith } from "../support/mounting.ts";
import { connectRealClient } from "../support/real-client.ts";

let folder: string;
let client: TreeglassClient;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "treeglass-folder-"));
  client = await connectRealClient();
  await client.mount("/repo", { directory: folder });
});
after(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
});

const list = async () => (await client.callTool("list_dir", { dir_path: "/repo" })).content;
const read = async (name: string) =>
  (await client.callTool("read_file", { file_path: `/repo/${name}` })).content;

const connectEditor = () =>
  connectRealClient({
    config: { tools: { experimental_supported_tools: ["apply_patch"], offered: [] } },
  });

describe("an archive", () => {
  const content = "old\n";
  for (const [kind, archive] of [
    [
      "zip",
      writeZip([
        { name: "run.sh", content, unixMode: 0o100700 },
        { name: "a.txt", content, unixMode: 0o100664 },
        { name: "of-windows.txt", content },
      ]),
    ],
    [
      "tar",
      writeTar([
        { name: "run.sh", content, patches: { 100: Buffer.from("0000755\0") } },
        { name: "a.txt", content, patches: { 100: Buffer.from("0000644\0") } },
        { name: "of-windows.txt", content, patches: { 100: Buffer.from("none") } },
      ]),
    ],
  ] as const) {
    test(`of ${kind} keeps its programs executable in the patch of a change`, async () => {
      const editor = await connectEditor();
      await editor.mount("/repo", { archive });
      const update = (name: string) => `*** Update File: /repo/${name}\n@@\n-old\n+new\n`;
      const names = ["a.txt", "of-windows.txt", "run.sh"];
      const input = `*** Begin Patch\n${names.map(update).join("")}*** End Patch\n`;
      const { isError } = await editor.callTool("apply_patch", { input });
      const patch = await editor.exportChanges({ format: "patch" });
      await editor.close();

      const modes = patch.match(/^index .*$/gm)?.map((line) => line.slice(-6));
      assert.deepEqual([isError, modes], [false, ["100644", "100644", "100755"]]);
    });
  }
});

describe("a folder of the machine", () => {
  test("is mounted at once, and its report has no counts", async () => {
    const { elapsedMs: _, ...report } = await client.mount("/again", {
      directory: pathToFileURL(folder),
    });
    await client.unmount("/again");
    assert.deepEqual(
      report,
      reportWith({ path: "/again", files: null, directories: null, symlinks: null, bytes: null }),
    );
  });

  test("is seen by each call as it is then", async () => {
    writeFileSync(join(folder, "a.txt"), "one\n");
    assert.deepEqual(
      [await list(), await read("a.txt")],
      ["Absolute path: /repo\na.txt", "L1: one"],
    );
    writeFileSync(join(folder, "a.txt"), "two and more\n");
    renameSync(join(folder, "a.txt"), join(folder, "b.txt"));
    assert.deepEqual(
      [await list(), await read("b.txt"), await read("a.txt")],
      [
        "Absolute path: /repo\nb.txt",
        "L1: two and more",
        "failed to read file: No such file or directory (os error 2)",
      ],
    );
  });

  test("tells of a name that is not UTF-8, and lists the others", async () => {
    const raw = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x62, 0xff])]);
    writeFileSync(raw, "");
    const { content, warnings } = await client.callTool("list_dir", { dir_path: "/repo" });
    rmSync(raw);
    assert.deepEqual(
      [content, warnings],
      ["Absolute path: /repo\nb.txt", ["'/repo/b\uFFFD' cannot be read: its name is not UTF-8"]],
    );
  });

  test("is searched with the newest file first, to the nanosecond", async () => {
    const names = ["a", "b", "c"];
    const made = mkdtempSync(join(tmpdir(), "treeglass-times-"));
    for (const [index, name] of names.entries()) {
      writeFileSync(join(made, name), "needle\n");
      // 300 microseconds apart, within one millisecond.
      utimesSync(join(made, name), 1_700_000_000, 1_700_000_000 + index * 0.000_3);
    }
    await client.mount("/times", { directory: made });
    const { content } = await client.callTool("grep_files", { pattern: "needle", path: "/times" });
    await client.unmount("/times");
    rmSync(made, { recursive: true });
    assert.equal(content, "/times/c\n/times/b\n/times/a");
  });

  test("gives its permissions to the patch of a change", async () => {
    const editor = await connectEditor();
    const scripts = mkdtempSync(join(tmpdir(), "treeglass-modes-"));
    for (const [name, mode] of [
      ["run.sh", 0o755],
      ["read-only.sh", 0o555],
      ["a.txt", 0o644],
    ] as const) {
      writeFileSync(join(scripts, name), "old\n");
      chmodSync(join(scripts, name), mode);
    }
    await editor.mount("/repo", { directory: scripts });
    const update = (name: string) => `*** Update File: /repo/${name}\n@@\n-old\n+new\n`;
    const names = ["a.txt", "read-only.sh", "run.sh"];
    const input = `*** Begin Patch\n${names.map(update).join("")}*** End Patch\n`;
    await editor.callTool("apply_patch", { input });
    // A second change starts from what the first one has proposed.
    await editor.callTool("apply_patch", {
      input:
        "*** Begin Patch\n*** Update File: /repo/read-only.sh\n@@\n-new\n+newer\n*** End Patch\n",
    });

    const patch = await editor.exportChanges({ format: "patch" });
    const { entries } = await editor.exportChanges({ format: "manifest" });
    await editor.close();
    rmSync(scripts, { recursive: true });
    assert.deepEqual(
      patch.match(/^index .*$/gm)?.map((line) => line.slice(-6)),
      ["100644", "100755", "100755"],
    );
    assert.deepEqual(
      (entries as { path: string; after: { mode: string } }[]).map(({ path, after }) => [
        path,
        after.mode,
      ]),
      [
        ["/repo/a.txt", "644"],
        ["/repo/read-only.sh", "555"],
        ["/repo/run.sh", "755"],
      ],
    );
  });

  test("keeps to the limits of the mount", async () => {
    writeFileSync(join(folder, "large"), "x".repeat(11));
    const limits = { maxFileBytes: 10, maxEntries: 1 };
    await client.mount("/small", { directory: folder }, { limits });
    const calls = [
      await client.callTool("list_dir", { dir_path: "/small" }),
      await client.callTool("read_file", { file_path: "/small/large" }),
    ];
    await client.unmount("/small");
    assert.deepEqual(
      calls.map(({ content, warnings }) => [content, warnings]),
      [
        [
          "failed to read directory: Input/output error (os error 5)",
          ["'/small' cannot be read: the directory has more than 1 entries (maxEntries)"],
        ],
        [
          "failed to read file: Input/output error (os error 5)",
          ["'/small/large' cannot be read: it is 11 bytes large, over maxFileBytes (10)"],
        ],
      ],
    );
  });

  test("cannot be opened by a page", () => {
    for (const directory of [".", new URL("file:///srv/")]) {
      assert.throws(() => takeSource({ directory }), {
        name: "SourceUnknown",
        message:
          "A page cannot open a folder by its path; pass { directory: FileSystemDirectoryHandle }, which showDirectoryPicker() gives, or connect by treeglass/edge under Node, Deno or Bun.",
      });
    }
  });
});
