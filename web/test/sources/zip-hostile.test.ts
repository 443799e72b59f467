import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { writeZip, type ZipMember } from "../support/archives/zip-writer.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { draw, listArchive } from "../support/mounting.ts";

const REGULAR = 0o100644;
const SYMLINK = 0o120777;
/** Deflate blocks without content, which take time to inflate and give nothing. */
const PADDING = Buffer.concat(Array(1000).fill(Uint8Array.of(0, 0, 0, 0xff, 0xff)));

const listZip = (members: readonly ZipMember[]) => listArchive(writeZip(members));

/** Returns the tree of a list of members, and every skipped path with its reason. */
async function outcome(members: readonly ZipMember[]): Promise<[unknown, unknown]> {
  const tree = await listZip(members);
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

describe("what a zip archive must not do", () => {
  const refused: [string, ZipMember, string][] = [
    ["leads out", { name: "../up.txt" }, "leads out of the tree with '..'"],
    ["leads out from inside", { name: "a/../../up" }, "leads out of the tree with '..'"],
    ["leads out by backslashes", { name: "..\\up" }, "leads out of the tree with '..'"],
    ["has a drive", { name: "C:\\Windows\\x" }, "starts with a drive letter"],
    ["has a NUL", { name: "a.txt\0.png" }, "has a NUL character in its name"],
    ["is encrypted", { name: "secret", flags: 0x801 }, "is encrypted"],
    ["is a device", { name: "tty", unixMode: 0o020644 }, "is a device, a pipe or a socket"],
    ["is a pipe", { name: "fifo", unixMode: 0o010644 }, "is a device, a pipe or a socket"],
    [
      "is compressed by an unknown method",
      { name: "new", method: 93 },
      "is compressed by method 93; only stored (0) and deflated (8) entries can be read",
    ],
    [
      "is stored with two sizes",
      { name: "two", content: "abc", method: 0, declaredBytes: 9 },
      "is stored with two different sizes",
    ],
    ["has too long a name", { name: `${"é".repeat(128)}` }, "has a name over maxNameBytes (255)"],
    [
      "has too long a path",
      { name: Array(200).fill("d".repeat(30)).join("/") },
      "has a path over maxPathBytes (4095)",
    ],
    [
      "lies too deep",
      { name: Array(258).fill("d").join("/") },
      "lies 257 directories deep, over maxDepth (256)",
    ],
    [
      "would grow too much",
      { name: "bomb", content: new Uint8Array(3_000_000) },
      "would grow more than 1000 times (maxCompressionRatio)",
    ],
    [
      "is padded",
      { name: "link", unixMode: SYMLINK, body: PADDING, declaredBytes: 4 },
      "is 5000 bytes of compressed form for 4 bytes of content",
    ],
    [
      "is a link with a long target",
      { name: "link", unixMode: SYMLINK, content: "x".repeat(5000) },
      "is a link whose target is not a path",
    ],
    [
      "is a link with no target",
      { name: "link", unixMode: SYMLINK, content: "" },
      "is a link whose target is not a path",
    ],
    [
      "is an absolute link",
      { name: "link", unixMode: SYMLINK, content: "/etc/passwd" },
      "is a link out of the tree",
    ],
    [
      "is a link above the top",
      { name: "link", unixMode: SYMLINK, content: "a/../../b" },
      "is a link out of the tree",
    ],
    [
      "is an absolute link that leaves the mount",
      { name: "link", unixMode: SYMLINK, content: "/project/../etc/passwd" },
      "is a link out of the tree",
    ],
    [
      "is a link whose target is broken",
      { name: "link", unixMode: SYMLINK, content: "target", crc32: 1 },
      "is a link whose target cannot be read",
    ],
  ];
  for (const [what, member, reason] of refused) {
    test(`an entry that ${what} is skipped and reported, and the others stay`, async () => {
      const members = [{ name: "before", content: "1" }, member, { name: "after", content: "2" }];
      assert.deepEqual(await outcome(members), [
        { before: "1", after: "2" },
        [{ path: member.name, reason }],
      ]);
    });
  }

  test("an absolute path is put below the mount point and reported", async () => {
    const tree = await listZip([{ name: "/etc/passwd", content: "text" }]);
    assert.deepEqual(draw(tree.root), { etc: { passwd: "text" } });
    assert.deepEqual(tree.renamed, [
      {
        from: "/etc/passwd",
        to: "etc/passwd",
        reason: "an absolute path, put below the mount point",
      },
    ]);
  });

  test("backslashes separate, and are reported", async () => {
    const tree = await listZip([{ name: "dir\\sub\\" }, { name: "dir\\sub\\a.txt", content: "a" }]);
    assert.deepEqual(draw(tree.root), { dir: { sub: { "a.txt": "a" } } });
    assert.deepEqual(tree.converted, [
      { path: "dir\\sub\\", reason: "backslashes read as separators" },
      { path: "dir\\sub\\a.txt", reason: "backslashes read as separators" },
    ]);
  });

  test("the first of several entries of one path wins", async () => {
    const members: ZipMember[] = [
      { name: "a", content: "first" },
      { name: "a", content: "second" },
      { name: "./a", content: "third" },
      { name: "a/b", content: "below a file" },
      { name: "d/f", content: "kept" },
      { name: "d", content: "a file over a directory" },
      { name: "l", content: "d", unixMode: SYMLINK },
      { name: "l/f", content: "through a link", unixMode: REGULAR },
    ];
    assert.deepEqual(await outcome(members), [
      { a: "first", d: { f: "kept" }, l: { symlink: "d" } },
      [
        { path: "a", reason: "is there already" },
        { path: "./a", reason: "is there already" },
        { path: "a/b", reason: "needs 'a' to be a directory, and it is a file" },
        { path: "d", reason: "is a directory already" },
        { path: "l/f", reason: "needs 'l' to be a directory, and it is a symlink" },
      ],
    ]);
  });
});
