import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { writeZip, type ZipMember } from "../support/archives/zip-writer.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { draw, listArchive } from "../support/mounting.ts";

/** Returns the tree of a list of members, and every skipped path with its reason. */
async function outcome(members: readonly ZipMember[]): Promise<[unknown, unknown]> {
  const tree = await listArchive(writeZip(members));
  return [draw(tree.root), tree.skipped];
}

describe("which parts of a zip archive cannot be read", () => {
  const long = Buffer.from(
    Array.from({ length: 200_000 }, (_, index) => String((index * 2654435761) % 4093)).join(" "),
  );
  const lies: [string, ZipMember, string][] = [
    [
      "declares too little",
      { name: "f", content: "0123456789", declaredBytes: 4 },
      "the content is larger than declared",
    ],
    [
      "declares too much",
      { name: "f", content: "0123456789", declaredBytes: 11 },
      "the content is smaller than declared",
    ],
    [
      "declares too little of much",
      { name: "f", content: long, declaredBytes: long.byteLength - 1 },
      "the content is larger than declared",
    ],
    [
      "declares too much of much",
      { name: "f", content: long, declaredBytes: long.byteLength + 1 },
      "the content is smaller than declared",
    ],
    ["has another checksum", { name: "f", content: "text", crc32: 7 }, "the checksum differs"],
    [
      "is stored and has another checksum",
      { name: "f", content: "text", method: 0, crc32: 7 },
      "the checksum differs",
    ],
  ];
  for (const [what, member, reason] of lies) {
    test(`an entry that ${what} cannot be read, and the next can`, async () => {
      assert.deepEqual(await outcome([member, { name: "next", content: "text" }]), [
        { f: `unreadable: ${reason}`, next: "text" },
        [],
      ]);
    });
  }

  /** Reads pieces of a stored entry one after the other; null stands for a piece that fails. */
  async function readPieces(member: ZipMember, pieces: readonly [number, number][]) {
    const { root } = await listArchive(writeZip([{ ...member, method: 0 }]));
    const file = root.children.get("f");
    assert(file?.kind === "file" && file.content.kind === "ranges");
    const { readRange } = file.content;
    return pieces.map(([start, end]) => {
      try {
        return new TextDecoder().decode(readRange(start, end));
      } catch (error) {
        assert(error instanceof Error);
        assert.equal(error.message, "the checksum differs");
        return null;
      }
    });
  }
  const damaged: ZipMember = { name: "f", content: "0123456789", crc32: 7 };
  const whole: ZipMember = { name: "f", content: "0123456789" };
  const IN_ORDER: [number, number][] = [
    [0, 4],
    [4, 8],
    [8, 10],
    [0, 4],
  ];
  const OVERLAPPING: [number, number][] = [
    [8, 10],
    [0, 6],
    [2, 7],
    [7, 10],
    [8, 10],
  ];
  for (const [how, pieces, read, left] of [
    ["in order", IN_ORDER, ["0123", "4567", "89", "0123"], ["0123", "4567", null, null]],
    [
      "that overlap",
      OVERLAPPING,
      ["89", "012345", "23456", "789", "89"],
      ["89", "012345", "23456", null, null],
    ],
  ] as const) {
    test(`a stored entry of a wrong checksum fails once pieces ${how} have covered it`, async () => {
      assert.deepEqual(await readPieces(whole, pieces), read);
      assert.deepEqual(await readPieces(damaged, pieces), left);
    });
  }

  test("an entry that declares nothing of something is left out", async () => {
    const lie: ZipMember = { name: "f", content: "text", declaredBytes: 0 };
    const reason = "is declared empty, and has the checksum of some content";
    assert.deepEqual(await outcome([lie, { name: "empty", content: "" }]), [
      { empty: "" },
      [{ path: "f", reason }],
    ]);
  });

  test("an entry without its local header cannot be read", async () => {
    const archive = writeZip([{ name: "f", content: "text" }]);
    archive.fill(0, 0, 4);
    assert.deepEqual(draw((await listArchive(archive)).root), {
      f: "unreadable: the local header is missing",
    });
  });

  test("a file that was moved before it could be listed is refused with one sentence", async () => {
    const archive = new File(["no bytes of it are ever had"], "tree.zip");
    const { readBlob } = readableBlobs();
    await assert.rejects(listArchive(archive, { readBlob }), {
      name: "SourceUnreadable",
      message:
        "The archive's file can no longer be read; it was changed or moved, so choose it again.",
    });
  });

  const broken: [string, Uint8Array, string][] = [
    ["no bytes", new Uint8Array(), "The archive is empty: it has 0 bytes."],
    [
      "half an archive",
      writeZip([{ name: "f", content: long }]).subarray(0, 1000),
      "The zip archive has no table of contents at its end; it may have been cut short; make it again and retry.",
    ],
  ];
  for (const [what, archive, message] of broken) {
    test(`${what} is refused with one sentence`, async () => {
      await assert.rejects(listArchive(archive), {
        name: "SourceUnreadable",
        message,
      });
    });
  }

  test("an archive whose table of contents is overwritten is refused", async () => {
    const archive = writeZip([{ name: "f", content: "text" }]);
    const central = Buffer.from(archive.buffer).indexOf(Buffer.from("PK\u0001\u0002"));
    archive.fill(0, central, central + 4);
    await assert.rejects(listArchive(archive), {
      name: "SourceUnreadable",
      message: "The zip archive has a broken table of contents; make it again and retry.",
    });
  });
});
