import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { listed, NOTHING_ODD, outcome, timesOf } from "../support/archives/tar-listing.ts";
import {
  base256,
  longName,
  pax,
  type TarMember,
  writeTar,
} from "../support/archives/tar-writer.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { draw, listArchive, reportOf } from "../support/mounting.ts";

const GNU = "ustar  \0";

/** Runs Python that leaves an archive in `out`. */
function writtenByPython(statements: string): Uint8Array {
  const script = [
    "import io, sys, tarfile",
    "out = io.BytesIO()",
    "def add(tar, name, content=None, **fields):",
    "    member = tarfile.TarInfo(name)",
    "    for field, value in fields.items(): setattr(member, field, value)",
    "    if content is not None: member.size = len(content)",
    "    tar.addfile(member, None if content is None else io.BytesIO(content))",
    statements,
    "sys.stdout.buffer.write(out.getvalue())",
  ].join("\n");
  return new Uint8Array(execFileSync("python3", ["-c", script]));
}

describe("what a tar archive holds", () => {
  test("files, folders and links are read, and folders count once", async () => {
    const members: TarMember[] = [
      { name: "./", type: "5" },
      { name: "./src/", type: "5" },
      { name: "./src/a.txt", content: "first" },
      { name: "src/b.txt", content: "x".repeat(1000) },
      { name: "implied/deep/c.txt", content: "", type: "7" },
      { name: "near", type: "2", target: "src/a.txt" },
      { name: "implied/in", type: "2", target: "/project/src" },
    ];
    assert.deepEqual(await outcome(members), [
      {
        src: { "a.txt": "first", "b.txt": "x".repeat(1000) },
        implied: { deep: { "c.txt": "" }, in: { symlink: "../src" } },
        near: { symlink: "src/a.txt" },
      },
      {
        ...NOTHING_ODD,
        files: 3,
        directories: 3,
        symlinks: 2,
        bytes: 1005,
        converted: [
          { path: "implied/in", reason: "target '/project/src' made relative: '../src'" },
        ],
      },
    ]);
  });

  for (const format of ["USTAR", "GNU", "PAX"]) {
    test(`an archive that another program wrote is read (${format})`, async () => {
      const archive = writtenByPython(
        [
          `tar = tarfile.open(fileobj=out, mode="w", format=tarfile.${format}_FORMAT)`,
          'add(tar, "dir", type=tarfile.DIRTYPE, mtime=1_600_000_001)',
          'add(tar, "dir/ünï.txt", b"text", mtime=1_600_000_002)',
          'add(tar, "d" * 90 + "/" + "n" * 90, b"long")',
          'add(tar, "link", type=tarfile.SYMTYPE, linkname="dir/ünï.txt")',
          'add(tar, "again", type=tarfile.LNKTYPE, linkname="dir/ünï.txt", mtime=1_600_000_003)',
          "tar.close()",
        ].join("\n"),
      );
      const tree = await listed(archive);
      assert.deepEqual(draw(tree.root), {
        dir: { "ünï.txt": "text" },
        ["d".repeat(90)]: { ["n".repeat(90)]: "long" },
        link: { symlink: "dir/ünï.txt" },
        again: "text",
      });
      assert.deepEqual(timesOf(tree), [
        ["dir", 1_600_000_001_000],
        ["d".repeat(90), 0],
        ["link", 0],
        ["again", 1_600_000_003_000],
      ]);
      assert.deepEqual(reportOf(tree), {
        ...NOTHING_ODD,
        files: 3,
        directories: 2,
        symlinks: 1,
        bytes: 12,
        converted: [{ path: "again", reason: "a hard link; has the content of 'dir/ünï.txt'" }],
      });
    });
  }

  test("an archive of the oldest form, with folders marked by a slash, is read", async () => {
    const old = { magic: "", type: "\0" };
    assert.deepEqual(
      await outcome([
        { name: "old/", ...old },
        { name: "old/a", content: "text", ...old },
      ]),
      [{ old: { a: "text" } }, { ...NOTHING_ODD, files: 1, directories: 1, bytes: 4 }],
    );
  });

  test("the first part of a path is read from where POSIX has it, and GNU has times", async () => {
    const prefix = { 345: Buffer.from("first/part") };
    const [tree] = await outcome([
      { name: "posix", content: "1", patches: prefix },
      { name: "gnu", content: "2", patches: prefix, magic: GNU },
    ]);
    assert.deepEqual(tree, { first: { part: { posix: "1" } }, gnu: "2" });
  });

  test("pax headers go before the header's fields, for one entry or from there on", async () => {
    const tree = await listed(
      writeTar([
        pax({ comment: "of all", mtime: "1600000000.0129" }, "g"),
        { name: "plain", content: "1", modifiedSeconds: 7 },
        pax({ path: "wide/ü", size: "3", mtime: "-1.5" }),
        { name: "narrow", content: "two", declaredBytes: 0 },
        pax({ linkpath: "wide/ü" }),
        { name: "link", type: "2", target: "narrow" },
        pax({ mtime: "", path: "" }),
        { name: "again", content: "3", modifiedSeconds: 7 },
        pax({ mtime: "" }, "g"),
        { name: "last", content: "4", modifiedSeconds: 8 },
      ]),
    );
    assert.deepEqual(draw(tree.root), {
      plain: "1",
      wide: { ü: "two" },
      link: { symlink: "wide/ü" },
      again: "3",
      last: "4",
    });
    assert.deepEqual(timesOf(tree), [
      ["plain", 1_600_000_000_012],
      ["wide", 0],
      ["link", 1_600_000_000_012],
      ["again", 7000],
      ["last", 8000],
    ]);
    assert.deepEqual(reportOf(tree), {
      ...NOTHING_ODD,
      files: 4,
      directories: 1,
      symlinks: 1,
      bytes: 6,
    });
  });

  test("GNU's long names and targets are read", async () => {
    const path = `${"d".repeat(120)}/${"n".repeat(120)}`;
    const [tree] = await outcome([
      longName(path),
      { name: "cut", content: "text", magic: GNU },
      longName(path, "K"),
      longName(`${"l".repeat(150)}`),
      { name: "cut", type: "2", target: "cut", magic: GNU },
    ]);
    assert.deepEqual(tree, {
      ["d".repeat(120)]: { ["n".repeat(120)]: "text" },
      ["l".repeat(150)]: { symlink: path },
    });
  });

  test("sizes and times that are no octal digits are read", async () => {
    const archive = writeTar([
      { name: "wide", content: "text", patches: { 124: base256(4n), 136: base256(-10n) } },
      { name: "spaced", content: "text", patches: { 124: Buffer.from("          4 ") } },
      { name: "timeless", patches: { 136: Buffer.from("no time     ") } },
      { name: "far", patches: { 136: base256(2n ** 80n) } },
    ]);
    const tree = await listed(archive);
    assert.deepEqual(draw(tree.root), { wide: "text", spaced: "text", timeless: "", far: "" });
    assert.deepEqual(timesOf(tree), [
      ["wide", -10_000],
      ["spaced", 0],
      ["timeless", 0],
      ["far", 8.64e15],
    ]);
  });

  test("a checksum of signed bytes counts too", async () => {
    const name = Buffer.from("ü");
    const header = writeTar([{ name }]).subarray(0, 148);
    const rest = writeTar([{ name }]).subarray(156, 512);
    const sum = [...Buffer.concat([header, rest])].reduce((total, byte) => total + byte, 256);
    assert.deepEqual(await outcome([{ name, checksum: sum - 2 * 256 }]), [
      { ü: "" },
      { ...NOTHING_ODD, files: 1, directories: 0, bytes: 0 },
    ]);
  });

  test("names and targets that are not UTF-8 are repaired and reported", async () => {
    const broken = Uint8Array.of(0x61, 0xff);
    const conversion = "is not UTF-8; broken bytes replaced by U+FFFD";
    assert.deepEqual(await outcome([{ name: broken, type: "2", target: broken }]), [
      { "a\uFFFD": { symlink: "a\uFFFD" } },
      {
        ...NOTHING_ODD,
        files: 0,
        directories: 0,
        symlinks: 1,
        bytes: 0,
        converted: [
          { path: "a\uFFFD", reason: `the name ${conversion}` },
          { path: "a\uFFFD", reason: `the target ${conversion}` },
        ],
      },
    ]);
  });

  for (const endBlocks of [0, 1, 2, 20]) {
    test(`an archive with ${endBlocks} blocks of zeros at its end is whole`, async () => {
      const tree = await listed(writeTar([{ name: "a", content: "text" }], { endBlocks }));
      assert.deepEqual(draw(tree.root), { a: "text" });
    });
  }

  test("an archive without an entry is an empty tree", async () => {
    assert.deepEqual(await outcome([]), [
      {},
      { ...NOTHING_ODD, files: 0, directories: 0, bytes: 0 },
    ]);
  });

  test("entries behind the end mark are not listed", async () => {
    const archive = Buffer.concat([
      writeTar([{ name: "a", content: "1" }]),
      writeTar([{ name: "b", content: "2" }]),
    ]);
    assert.deepEqual(draw((await listed(archive)).root), { a: "1" });
  });

  test("of a file only the headers are read, until content is asked for", async () => {
    const { makeFile, readBlob, reads } = readableBlobs();
    const large = "x".repeat(3 * 1024 * 1024);
    const bytes = writeTar([
      { name: "a", content: large },
      { name: "b", content: "y" },
      { name: "c", content: "z" },
    ]);
    const archive = makeFile(bytes, "tree.tar");
    const tree = await listArchive(archive, { readBlob });
    const afterLarge = 512 + large.length;
    assert.deepEqual(reads.splice(0), [
      [0, 1024],
      [0, 1024 * 1024],
      [afterLarge, bytes.byteLength],
    ]);
    assert.deepEqual(draw(tree.root), { a: large, b: "y", c: "z" });
    assert.deepEqual(reads, [
      [512, afterLarge],
      [afterLarge + 512, afterLarge + 513],
      [afterLarge + 1536, afterLarge + 1537],
    ]);
  });

  test("files and folders that skip names are left out, and the others stay", async () => {
    const members = [
      { name: "node_modules/big.bin", content: new Uint8Array(100_000) },
      { name: "a", content: "text" },
      { name: "b", type: "1", target: "node_modules/big.bin" },
    ];
    const tree = await listed(writeTar(members), { skip: ["node_modules"] });
    assert.deepEqual(draw(tree.root), { a: "text" });
    assert.deepEqual(tree.skipped, [
      { path: "node_modules", reason: "left out by the skip option" },
      { path: "b", reason: "is a hard link to no file that stands before it in the archive" },
    ]);
  });
});
