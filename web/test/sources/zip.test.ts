import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import {
  extendedTime,
  writeZip,
  type ZipMember,
  type ZipOptions,
} from "../support/archives/zip-writer.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { draw, type ListedTree, listArchive, reportOf, reportWith } from "../support/mounting.ts";

const SYMLINK = 0o120777;

async function listed(
  members: readonly ZipMember[],
  options: ZipOptions = {},
): Promise<ListedTree> {
  return listArchive(writeZip(members, options));
}

/** Returns the tree of a list of members, and every skipped path with its reason. */
async function outcome(members: readonly ZipMember[]): Promise<[unknown, unknown]> {
  const tree = await listed(members);
  return [draw(tree.root), tree.skipped];
}

describe("what a zip archive holds", () => {
  test("stored and deflated entries are read, and folders count once", async () => {
    const tree = await listed([
      { name: "src/" },
      { name: "src/a.txt", content: "deflated ".repeat(50) },
      { name: "src/b.txt", content: "stored", method: 0 },
      { name: "implied/deep/c.txt", content: "" },
    ]);
    assert.deepEqual(draw(tree.root), {
      src: { "a.txt": "deflated ".repeat(50), "b.txt": "stored" },
      implied: { deep: { "c.txt": "" } },
    });
    assert.deepEqual(reportOf(tree), reportWith({ files: 3, directories: 3, bytes: 456 }));
  });

  test("content larger than a block is inflated whole", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index * 7919} line\n`).join("");
    assert.deepEqual(await outcome([{ name: "long.txt", content: lines }]), [
      { "long.txt": lines },
      [],
    ]);
  });

  test("an archive that another program wrote is read", async () => {
    const script = [
      "import io, sys, zipfile",
      "out = io.BytesIO()",
      "z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)",
      "z.writestr('dir/ünï.txt', 'text')",
      "z.writestr(zipfile.ZipInfo('dir/stored.bin'), b'1234')",
      "z.mkdir('empty')",
      "f = z.open('big.txt', 'w', force_zip64=True); f.write(b'wide'); f.close()",
      "z.close()",
      "sys.stdout.buffer.write(out.getvalue())",
    ].join("\n");
    const archive = execFileSync("python3", ["-c", script]);
    assert.deepEqual(draw((await listArchive(archive)).root), {
      dir: { "ünï.txt": "text", "stored.bin": "1234" },
      empty: {},
      "big.txt": "wide",
    });
  });

  test("sizes that stand only after the content are read from the directory", async () => {
    const members: ZipMember[] = [
      { name: "a", content: "first", hasDataDescriptor: true },
      { name: "b", content: "second", method: 0, hasDataDescriptor: true },
    ];
    assert.deepEqual(await outcome(members), [{ a: "first", b: "second" }, []]);
  });

  test("64-bit sizes, offsets and directories are read", async () => {
    const members: ZipMember[] = [
      { name: "a", content: "first", isZip64: true },
      { name: "b", content: "second", isZip64: true },
    ];
    const tree = await listed(members, { isZip64: true });
    assert.deepEqual(draw(tree.root), { a: "first", b: "second" });
  });

  for (const isZip64 of [false, true]) {
    test(`an archive behind a program and before a comment is found (zip64: ${isZip64})`, async () => {
      const tree = await listed([{ name: "a", content: "text" }], {
        prefix: new TextEncoder().encode("#!/bin/sh\nexit\n"),
        comment: "a comment",
        isZip64,
      });
      assert.deepEqual(draw(tree.root), { a: "text" });
    });
  }

  test("an empty archive is an empty tree", async () => {
    assert.deepEqual(draw((await listed([])).root), {});
  });

  test("symbolic links keep their target, and those into the mount become relative", async () => {
    const link = { unixMode: SYMLINK };
    const tree = await listed([
      { name: "near", content: "a/b.txt", ...link },
      { name: "a/b/in", content: "/project/real", method: 0, ...link },
      { name: "a/b/top", content: "../..", ...link },
    ]);
    assert.deepEqual(draw(tree.root), {
      near: { symlink: "a/b.txt" },
      a: { b: { in: { symlink: "../../real" }, top: { symlink: "../.." } } },
    });
    assert.deepEqual(tree.converted, [
      { path: "a/b/in", reason: "target '/project/real' made relative: '../../real'" },
    ]);
    assert.deepEqual([tree.symlinks, tree.files, tree.bytes], [3, 0, 0]);
  });

  test("times come from the extended field, else from the DOS fields as UTC", async () => {
    const tree = await listed([
      { name: "extended", extra: extendedTime(1_600_000_001) },
      { name: "before1970", extra: extendedTime(-10) },
      { name: "dos", dosTime: [(44 << 9) | (2 << 5) | 29, (13 << 11) | (14 << 5) | 15] },
      { name: "zeros", dosTime: [0, 0] },
    ]);
    const times = [...tree.root.children].map(([name, entry]) => [
      name,
      "modifiedMs" in entry ? entry.modifiedMs : null,
    ]);
    assert.deepEqual(times, [
      ["extended", 1_600_000_001_000],
      ["before1970", -10_000],
      ["dos", Date.UTC(2024, 1, 29, 13, 14, 30)],
      ["zeros", Date.UTC(1980, 0, 1)],
    ]);
  });

  test("names without an encoding are UTF-8 if they are valid, else code page 437", async () => {
    const tree = await listed([
      { name: Buffer.from("ünï.txt"), content: "utf-8" },
      { name: Uint8Array.of(0x81, 0x2e, 0x74), content: "437" },
    ]);
    assert.deepEqual(draw(tree.root), { "ünï.txt": "utf-8", "ü.t": "437" });
    assert.deepEqual(tree.converted, [
      { path: "ü.t", reason: "the name is not UTF-8; read as code page 437" },
    ]);
  });

  test("a name or a target that is not UTF-8 is repaired and reported, and a mark stays", async () => {
    const tree = await listed([
      { name: Uint8Array.of(0x61, 0xff), flags: 0x800, content: "text" },
      { name: "broken", content: Uint8Array.of(0x62, 0xff), unixMode: SYMLINK },
      { name: "marked", content: "\uFEFFa", unixMode: SYMLINK },
    ]);
    assert.deepEqual(draw(tree.root), {
      "a\uFFFD": "text",
      broken: { symlink: "b\uFFFD" },
      marked: { symlink: "\uFEFFa" },
    });
    assert.deepEqual(tree.converted, [
      { path: "a\uFFFD", reason: "the name is not UTF-8; broken bytes replaced by U+FFFD" },
      { path: "broken", reason: "the target is not UTF-8; broken bytes replaced by U+FFFD" },
    ]);
  });

  test("entries past a count that overflowed its 16 bits are read too", async () => {
    const members: ZipMember[] = [
      { name: "a", content: "first" },
      { name: "b", content: "second" },
    ];
    const tree = await listed(members, { declaredEntries: 1 });
    assert.deepEqual(draw(tree.root), { a: "first", b: "second" });
  });

  test("only the table of contents of a file is read, until its content is asked for", async () => {
    const { makeFile, readBlob, reads } = readableBlobs();
    const bytes = writeZip([{ name: "a", content: "x".repeat(100_000), method: 0 }]);
    const archive = makeFile(bytes, "tree.zip");
    const tree = await listArchive(archive, { readBlob });
    const contentReads = reads.filter(([, end]) => end > 1024 && end < 30_000);
    assert.deepEqual(contentReads, []);
    assert.deepEqual(draw(tree.root), { a: "x".repeat(100_000) });
    assert.deepEqual(reads.slice(-2), [
      [0, 30],
      [31, 100_031],
    ]);
  });
});
