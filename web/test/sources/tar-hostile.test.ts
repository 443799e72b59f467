import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { listed, NOTHING_ODD, outcome } from "../support/archives/tar-listing.ts";
import {
  base256,
  longName,
  pax,
  type TarMember,
  writeTar,
} from "../support/archives/tar-writer.ts";
import { draw, type ListOptions, listArchive } from "../support/mounting.ts";

describe("what a tar archive must not do", () => {
  const long = "n".repeat(4000);
  const noFile = "is a hard link to no file that stands before it in the archive";
  const refused: [string, readonly TarMember[], string, string][] = [
    ["leads out", [{ name: "../up" }], "../up", "leads out of the tree with '..'"],
    ["leads out inside", [{ name: "a/../../up" }], "a/../../up", "leads out of the tree with '..'"],
    ["leads out by backslashes", [{ name: "..\\up" }], "..\\up", "leads out of the tree with '..'"],
    ["has a drive", [{ name: "C:\\x" }], "C:\\x", "starts with a drive letter"],
    ["has no name", [{ name: "" }], "", "has no name"],
    ["is the top as a file", [{ name: "./" }], "./", "has no name"],
    [
      "has a NUL",
      [pax({ path: "a.txt\0.png" }), {}],
      "a.txt\0.png",
      "has a NUL character in its name",
    ],
    [
      "has 4,000 characters in its name",
      [longName(long), {}],
      long,
      "has a name over maxNameBytes (255)",
    ],
    [
      "lies 3,000 levels deep",
      [longName(`${"d/".repeat(3000)}f`), {}],
      `${"d/".repeat(3000)}f`,
      "lies 3000 directories deep, over maxDepth (256)",
    ],
    [
      "has a target that is too long to be taken apart",
      [longName("../".repeat(300_000), "K"), { name: "far", type: "2" }],
      "far",
      "is a link whose target is over 4095 bytes",
    ],
    [
      "is a device",
      [{ name: "tty", type: "3", declaredBytes: 7 }],
      "tty",
      "is a device, a pipe or a socket",
    ],
    ["is a disk", [{ name: "sda", type: "4" }], "sda", "is a device, a pipe or a socket"],
    ["is a pipe", [{ name: "fifo", type: "6" }], "fifo", "is a device, a pipe or a socket"],
    ["is sparse", [{ name: "s", type: "S", content: "x" }], "s", "is a sparse file"],
    [
      "is sparse with a long map",
      [
        { name: "s", type: "S", declaredBytes: 1, patches: { 482: Uint8Array.of(1) } },
        // The map's second block, in the place of a header, and its claim about the content.
        { name: "map", content: "x" },
      ],
      "s",
      "is a sparse file",
    ],
    [
      "is sparse in pax's way",
      [pax({ "GNU.sparse.major": "1", "GNU.sparse.name": "s", path: "p" }), { content: "x" }],
      "s",
      "is a sparse file",
    ],
    [
      "goes on in another archive",
      [{ name: "m", type: "M", content: "x" }],
      "m",
      "is a part of a file whose rest is in another archive",
    ],
    ["is a label", [{ name: "l", type: "V" }], "l", "is the archive's label and no file"],
    [
      "is of an unknown type",
      [{ name: "u", type: "Z", content: "x" }],
      "u",
      "is of the unknown type 90",
    ],
    [
      "is an absolute link",
      [{ name: "l", type: "2", target: "/etc" }],
      "l",
      "is a link out of the tree",
    ],
    [
      "is a link out",
      [{ name: "l", type: "2", target: "a/../../b" }],
      "l",
      "is a link out of the tree",
    ],
    [
      "is a link to nothing",
      [{ name: "l", type: "2", target: "" }],
      "l",
      "is a link whose target is not a path",
    ],
    ["is a hard link out", [{ name: "h", type: "1", target: "../before" }], "h", noFile],
    ["is a hard link to nothing", [{ name: "h", type: "1", target: "after" }], "h", noFile],
    ["is a hard link to itself", [{ name: "h", type: "1", target: "h" }], "h", noFile],
    ["is there already", [{ name: "./before" }], "./before", "is there already"],
    [
      "lies below a file",
      [{ name: "before/x" }],
      "before/x",
      "needs 'before' to be a directory, and it is a file",
    ],
  ];
  for (const [what, members, path, reason] of refused) {
    test(`an entry that ${what} is skipped and reported, and the others stay`, async () => {
      const all = [{ name: "before", content: "1" }, ...members, { name: "after", content: "2" }];
      assert.deepEqual(await outcome(all), [
        { before: "1", after: "2" },
        { ...NOTHING_ODD, files: 2, directories: 0, bytes: 2, skipped: [{ path, reason }] },
      ]);
    });
  }

  test("a file cannot be put through a link, and a link cannot take a folder's place", async () => {
    const members: TarMember[] = [
      { name: "d/f", content: "kept" },
      { name: "l", type: "2", target: "d" },
      { name: "l/f", content: "through the link" },
      { name: "d", type: "2", target: "elsewhere" },
      { name: "l", type: "5" },
    ];
    assert.deepEqual(await outcome(members), [
      { d: { f: "kept" }, l: { symlink: "d" } },
      {
        ...NOTHING_ODD,
        files: 1,
        directories: 1,
        symlinks: 1,
        bytes: 4,
        skipped: [
          { path: "l/f", reason: "needs 'l' to be a directory, and it is a symlink" },
          { path: "d", reason: "is a directory already" },
          { path: "l", reason: "needs 'l' to be a directory, and it is a symlink" },
        ],
      },
    ]);
  });

  test("absolute paths and backslashes are put below the mount point and reported", async () => {
    assert.deepEqual(await outcome([{ name: "/etc/passwd", content: "1" }, { name: "a\\b" }]), [
      { etc: { passwd: "1" }, a: { b: "" } },
      {
        ...NOTHING_ODD,
        files: 2,
        directories: 2,
        bytes: 1,
        renamed: [
          {
            from: "/etc/passwd",
            to: "etc/passwd",
            reason: "an absolute path, put below the mount point",
          },
        ],
        converted: [{ path: "a\\b", reason: "backslashes read as separators" }],
      },
    ]);
  });

  test("hard links count each time towards the bytes of the tree", async () => {
    const members = [
      { name: "a", content: "12345" },
      { name: "b", type: "1", target: "./a" },
    ];
    const within = await listed(writeTar(members), { limits: { maxTotalBytes: 10 } });
    assert.deepEqual([draw(within.root), within.bytes], [{ a: "12345", b: "12345" }, 10]);
    await assertRefused(writeTar(members), "LimitExceeded", {
      limits: { maxTotalBytes: 9 },
      message:
        "The tree has more than 9 bytes of files (maxTotalBytes); mount a part of it, leave out what is not needed with skip, or raise limits.maxTotalBytes",
    });
  });

  test("a file over maxFileBytes is passed over, and the others stay", async () => {
    const members = [
      { name: "large", content: "123456" },
      { name: "small", content: "12345" },
    ];
    const tree = await listed(writeTar(members), { limits: { maxFileBytes: 5 } });
    assert.deepEqual(draw(tree.root), { small: "12345" });
    assert.deepEqual(tree.skipped, [
      { path: "large", reason: "is 6 bytes large, over maxFileBytes (5)" },
    ]);
  });

  test("entries over maxEntries end the mount, those that are skipped included", async () => {
    const members = [{ name: "../a" }, { name: "../b" }, { name: "c" }];
    await assertRefused(writeTar(members), "LimitExceeded", {
      limits: { maxEntries: 2 },
      message:
        "The tree has more than 2 entries (maxEntries); mount a part of it, leave out what is not needed with skip, or raise limits.maxEntries",
    });
  });
});

describe("which tar archives are refused whole", () => {
  const whole = writeTar([
    { name: "a", content: "x".repeat(600) },
    pax({ path: "long" }),
    { name: "b", content: "text" },
  ]);
  const wasCut = "ends in the middle of an entry; it was cut short";
  const cases: [string, Uint8Array, string][] = [
    [
      "a second header without a right sum",
      broken({ checksum: 1 }),
      "has a broken header at byte 512",
    ],
    [
      "a size that is no number",
      broken({ patches: { 124: Buffer.from("12x4") } }),
      "has a broken header at byte 512",
    ],
    [
      "a size below zero",
      broken({ patches: { 124: base256(-5n) } }),
      "has a broken header at byte 512",
    ],
    [
      "a size beyond all numbers",
      broken({ patches: { 124: base256(2n ** 87n) } }),
      "has a broken header at byte 512",
    ],
    ["a size beyond its end", broken({ declaredBytes: 5000 }), wasCut],
    [
      "a size that overflows with its place",
      broken({ patches: { 124: base256(2n ** 53n - 1n) } }),
      wasCut,
    ],
    ["half a header", whole.subarray(0, 512 + 1024 + 100), wasCut],
    ["half a content", whole.subarray(0, 512 + 500), wasCut],
    ["half a pax header", whole.subarray(0, 512 + 1024 + 512 + 4), wasCut],
    ["a pax header and nothing after it", whole.subarray(0, 512 + 1024 + 1024), wasCut],
    [
      "half a map of holes",
      broken({ type: "S", patches: { 482: Uint8Array.of(1) } }, { endBlocks: 0 }),
      wasCut,
    ],
    ...[
      ["a length beyond its end", "99 path=a\n"],
      ["a length that ends before its text", "2 path=a\n"],
      ["a length of zero", "0 path=a\n"],
      ["a length of many digits", "00000000000000009 path=a\n"],
      ["a length that is no number", "x path=a\n"],
      ["no length", "path=a\n"],
      ["no line's end", "9 path=ab"],
      ["no value", "9 pathaa\n"],
      ["a size below zero", "11 size=-1\n"],
      ["a size of many digits", "28 size=9007199254740993000\n"],
      ["a size with a point", "12 size=1.5\n"],
    ].map(([what = "", body = ""]): [string, Uint8Array, string] => [
      `a pax header with ${what}`,
      broken({ type: "x", content: body }),
      "has a broken pax header at byte 512",
    ]),
    [
      "a pax header of two megabytes",
      broken({ type: "x", content: "", declaredBytes: 2_000_000 }),
      "has an extended header of 2000000 bytes at byte 512, over 1048576",
    ],
    [
      "a long name of two megabytes",
      broken({ type: "L", content: "", declaredBytes: 2_000_000 }),
      "has an extended header of 2000000 bytes at byte 512, over 1048576",
    ],
    [
      "extended headers without end",
      writeTar([{ name: "a" }, ...Array(65).fill(pax({ path: "b" }))]),
      "has more than 64 extended headers before one entry",
    ],
  ];
  for (const [what, archive, fault] of cases) {
    test(`${what} is told of in one sentence`, async () => {
      await assertRefused(archive, "SourceUnreadable", {
        message: `The tar archive ${fault}; make it again and retry.`,
      });
    });
  }

  test("a first header with a wrong sum is reported if its magic marks a tar archive", async () => {
    await assertRefused(writeTar([{ name: "a", checksum: 1 }]), "SourceUnreadable", {
      message: "The tar archive has a broken header at byte 0; make it again and retry.",
    });
  });
});

/** An archive with the given second header. */
function broken(member: TarMember, options: { endBlocks?: number } = {}): Uint8Array {
  return writeTar([{ name: "a" }, { name: "b", ...member }], options);
}

async function assertRefused(
  archive: Uint8Array,
  name: string,
  { message, ...options }: ListOptions & { readonly message: string },
): Promise<void> {
  const expected = { name, message };
  await assert.rejects(listArchive(archive, options), expected);
  await assert.rejects(listArchive(gzipSync(archive), options), expected);
}
