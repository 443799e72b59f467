import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startRealClient } from "../support/real-client.ts";

const ENTRIES = {
  "README.md": "# Sample\n",
  "src/deep/main.py": "def main():\n    return 0\n",
  "src/é.txt": "é",
};
const PATCH = "*** Begin Patch\n*** Add File: src/new.txt\n+new\n*** End Patch\n";

const client = await startRealClient(ENTRIES);
after(() => client.close());

describe("what a page shows of a tree", () => {
  test("a directory is listed with kinds and sizes", async () => {
    assert.deepEqual(await client.listEntries("/repo"), {
      entries: [
        { path: "/repo/README.md", kind: "file", sizeBytes: 9 },
        { path: "/repo/src", kind: "directory", sizeBytes: null },
      ],
      next: null,
      unreadable: [],
    });
  });

  test("pages of all levels follow each other", async () => {
    const first = await client.listEntries("/repo", { recursive: true, limit: 3 });
    const second = await client.listEntries("/repo", {
      recursive: true,
      limit: 3,
      after: first.next,
    });

    const paths = [...first.entries, ...second.entries].map(({ path }) => path);
    assert.deepEqual(paths, [
      "/repo/README.md",
      "/repo/src",
      "/repo/src/deep",
      "/repo/src/deep/main.py",
      "/repo/src/é.txt",
    ]);
    assert.deepEqual([first.next, second.next], ["/repo/src/deep", null]);
  });

  test("a piece of a file says where it begins and whether more follows", async () => {
    const piece = await client.readFile("/repo/README.md", { offsetBytes: 2, maxBytes: 3 });

    assert.deepEqual(piece, {
      bytes: new TextEncoder().encode("Sam"),
      offsetBytes: 2,
      sizeBytes: 9,
      isComplete: false,
    });
    assert.equal((await client.readFile("/repo/README.md")).isComplete, true);
  });

  test("what is proposed is there", async () => {
    await client.configure({ tools: { experimental_supported_tools: ["apply_patch"] } });
    await client.callTool("apply_patch", { input: PATCH });

    const { entries } = await client.listEntries("/repo/src");
    const { bytes } = await client.readFile("/repo/src/new.txt");
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["/repo/src/deep", "/repo/src/new.txt", "/repo/src/é.txt"],
    );
    assert.equal(new TextDecoder().decode(bytes), "new\n");
  });

  test("a path of another kind, and an option that is unknown, are refused by name", async () => {
    await assert.rejects(client.readFile("/repo/src"), {
      name: "PathUnreadable",
      message: "/repo/src cannot be read: Is a directory (os error 21)",
    });
    const unknown: object = { depth: 2 };
    await assert.rejects(client.listEntries("/repo", unknown), {
      name: "BadRequest",
      message: "listEntries has no option depth; the known ones are after, limit, recursive.",
    });
  });
});
