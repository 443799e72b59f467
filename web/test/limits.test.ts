import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { draw, listArchive } from "./support/mounting.ts";
import { writeZip } from "./support/zip-writer.ts";

describe("how much a tree may hold", () => {
  const members = [
    { name: "a", content: "12345" },
    { name: "b", content: "12345" },
  ];

  test("over maxEntries the mount is refused by that name", async () => {
    await assert.rejects(listArchive(writeZip(members), { limits: { maxEntries: 1 } }), {
      kind: "LimitExceeded",
      message:
        "The tree has more than 1 entries (maxEntries); mount a part of it, leave out what is not needed with skip, or raise limits.maxEntries",
    });
  });

  test("over maxTotalBytes the mount is refused by that name", async () => {
    await assert.rejects(listArchive(writeZip(members), { limits: { maxTotalBytes: 9 } }), {
      kind: "LimitExceeded",
      message:
        "The tree has more than 9 bytes of files (maxTotalBytes); mount a part of it, leave out what is not needed with skip, or raise limits.maxTotalBytes",
    });
  });

  test("a file over maxFileBytes is skipped and reported, and the others stay", async () => {
    const larger = [...members, { name: "c", content: "123456" }];
    const tree = await listArchive(writeZip(larger), { limits: { maxFileBytes: 5 } });
    assert.deepEqual(draw(tree.root), { a: "12345", b: "12345" });
    assert.deepEqual(tree.skipped, [
      { path: "c", reason: "is 6 bytes large, over maxFileBytes (5)" },
    ]);
  });

  test("directories that only paths imply count as entries", async () => {
    const deep = writeZip([{ name: "a/b/c/d", content: "" }]);
    await assert.rejects(listArchive(deep, { limits: { maxEntries: 3 } }), {
      kind: "LimitExceeded",
    });
    assert.equal((await listArchive(deep, { limits: { maxEntries: 4 } })).directories, 3);
  });

  test("names longer than the interpreter can list cannot be allowed", async () => {
    await assert.rejects(listArchive(writeZip(members), { limits: { maxNameBytes: 300 } }), {
      kind: "BadRequest",
    });
  });
});
