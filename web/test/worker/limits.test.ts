import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { writeZip } from "../support/archives/zip-writer.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { draw, listArchive } from "../support/mounting.ts";

describe("how much a tree may hold", () => {
  const members = [
    { name: "a", content: "12345" },
    { name: "b", content: "12345" },
  ];

  test("over maxEntries the mount is refused by that name", async () => {
    await assert.rejects(listArchive(writeZip(members), { limits: { maxEntries: 1 } }), {
      name: "LimitExceeded",
      message:
        "The tree has more than 1 entries (maxEntries); mount a part of it, leave out what is not needed with skip, or raise limits.maxEntries",
    });
  });

  for (const [how, options, isDirectoryRead] of [
    ["declares", {}, false],
    ["holds and does not declare", { declaredEntries: 0 }, true],
  ] as const) {
    test(`a zip that ${how} too many entries is refused before one is added`, async () => {
      // To add a link, its target is read.
      const links = ["a", "b"].map((name) => ({ name, content: "target", unixMode: 0o120777 }));
      const { makeFile, readBlob, reads } = readableBlobs();
      const bytes = writeZip(links, options);
      const directoryStart = Buffer.from(bytes).indexOf("PK\u0001\u0002");
      const endStart = Buffer.from(bytes).indexOf("PK\u0005\u0006");

      await assert.rejects(
        listArchive(makeFile(bytes, "links.zip"), { limits: { maxEntries: 1 }, readBlob }),
        { name: "LimitExceeded" },
      );

      const [whatItIs, end, ...others] = reads;
      assert.deepEqual([whatItIs?.[0], end], [0, [0, bytes.byteLength]]);
      assert.deepEqual(others, isDirectoryRead ? [[directoryStart, endStart]] : []);
    });
  }

  test("over maxTotalBytes the mount is refused by that name", async () => {
    await assert.rejects(listArchive(writeZip(members), { limits: { maxTotalBytes: 9 } }), {
      name: "LimitExceeded",
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
      name: "LimitExceeded",
    });
    assert.equal((await listArchive(deep, { limits: { maxEntries: 4 } })).directories, 3);
  });

  test("names longer than the interpreter can list cannot be allowed", async () => {
    await assert.rejects(listArchive(writeZip(members), { limits: { maxNameBytes: 300 } }), {
      name: "BadRequest",
    });
  });
});
