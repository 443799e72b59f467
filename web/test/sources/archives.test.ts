import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import { writeTar } from "../support/archives/tar-writer.ts";
import { writeZip } from "../support/archives/zip-writer.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { draw, type ListOptions, listArchive, readText } from "../support/mounting.ts";

const MEBIBYTE = 1024 * 1024;
const LINES = Array.from({ length: 40_000 }, (_, index) => `${index * 7919} line\n`).join("");
const TREE = { "a.txt": "text", dir: { "long.txt": LINES } };
const TAR = writeTar([
  { name: "a.txt", content: "text" },
  { name: "dir/long.txt", content: LINES },
]);
const CHOOSE = "choose a zip archive or a tar archive, plain or compressed by gzip, bzip2 or xz";

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

const unreadable = (message: string) => ({
  name: "SourceUnreadable",
  message,
});

describe("the format of an archive", () => {
  for (const [what, archive] of [
    ["a zip archive", writeZip([{ name: "a", content: "1" }])],
    [
      "a zip archive behind a program",
      writeZip([{ name: "a", content: "1" }], { prefix: TAR.subarray(1, 2000) }),
    ],
    ["a tar archive", writeTar([{ name: "a", content: "1" }])],
    [
      "a tar archive that starts as a zip does",
      writeTar([{ name: "PK" }, { name: "a", content: "1" }]),
    ],
    ["a tar archive of the oldest form", writeTar([{ name: "a", content: "1", magic: "" }])],
    ["a tar archive in gzip", gzipSync(writeTar([{ name: "a", content: "1" }]))],
  ] as const) {
    test(`is known by its content: ${what}`, async () => {
      const { a } = draw((await listArchive(archive)).root);
      assert.equal(a, "1");
    });
  }

  test("is the same for bytes and files", async () => {
    const { makeFile, readBlob } = readableBlobs();
    const compressed = gzipSync(TAR);
    for (const archive of [
      new Uint8Array(compressed),
      new Uint8Array(compressed).buffer,
      makeFile(compressed, "tree.tgz"),
    ]) {
      const tree = await listArchive(archive, { readBlob });
      assert.deepEqual(draw(tree.root), TREE);
    }
  });

  const text = (content: string) => new TextEncoder().encode(content);
  const others: [string, Uint8Array, string][] = [
    ["no bytes", new Uint8Array(), "The archive is empty: it has 0 bytes."],
    ...[
      ["a 7z archive", Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4)],
      ["a RAR archive", text("Rar!\x1a\x07\x01\0")],
      ["a file compressed by zstd", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4)],
      ["a file compressed by lz4", Uint8Array.of(4, 0x22, 0x4d, 0x18, 0x64)],
      ["a file compressed by lzip", text("LZIP\x01")],
      ["a file compressed by compress", Uint8Array.of(0x1f, 0x9d, 0x90)],
      ["a cabinet archive", text("MSCF\0\0\0\0")],
      ["a Debian package or an ar archive", text("!<arch>\ndebian-binary")],
      ["a PDF document", text("%PDF-1.7")],
    ].map(([look, bytes]): [string, Uint8Array, string] => [
      String(look),
      bytes instanceof Uint8Array ? bytes : new Uint8Array(),
      `The file looks like ${look}; ${CHOOSE}.`,
    ]),
    ...["<!DOCTYPE html><p>404", "\n <HTML>", "\uFEFF<?xml version='1.0'?>"].map(
      (page): [string, Uint8Array, string] => [
        `the page ${JSON.stringify(page)}`,
        text(page),
        `The file looks like a page (HTML or XML), perhaps sent by a server instead of the file; ${CHOOSE}.`,
      ],
    ),
    ...[
      ["a text", text("not an archive")],
      ["a kibibyte of text", text("text ".repeat(300))],
      ["a block of zeros", new Uint8Array(512)],
      ["what is compressed by brotli", brotliCompressSync(TAR)],
    ].map(([what, bytes]): [string, Uint8Array, string] => [
      String(what),
      bytes instanceof Uint8Array ? bytes : new Uint8Array(),
      `The file is not an archive that can be read; ${CHOOSE}, or mount the file itself with files.`,
    ]),
    ...[
      ["a text", text("text ".repeat(1000))],
      ["nothing", new Uint8Array()],
      ["a zip archive", writeZip([{ name: "a" }])],
    ].map(([what, bytes]): [string, Uint8Array, string] => [
      `${what} in gzip`,
      gzipSync(bytes ?? ""),
      "The file is compressed by gzip and holds no tar archive, or a broken one; unpack it and mount its files with { files }.",
    ]),
  ];
  for (const [what, archive, message] of others) {
    test(`is named by what it looks like when it is refused: ${what}`, async () => {
      await assert.rejects(listArchive(archive), unreadable(message));
    });
  }
});

describe("a tar archive in gzip", () => {
  const archive = new Uint8Array(gzipSync(TAR));
  test("is unpacked with progress in bytes of its compressed form, to its end", async () => {
    const events: ProgressEvent[] = [];
    const tree = await listArchive(archive, { report: (event) => events.push(event) });
    assert.deepEqual(draw(tree.root), TREE);
    const total = archive.byteLength;
    assert.deepEqual(
      [events[0], events.at(-1)],
      [
        { phase: "unpack", loaded: 0, total },
        { phase: "unpack", loaded: total, total },
      ],
    );
  });

  test("can be read at any place", async () => {
    const { root } = await listArchive(archive);
    const dir = root.children.get("dir");
    assert(dir?.kind === "directory");
    const long = dir.children.get("long.txt");
    assert(long?.kind === "file" && long.content.kind === "ranges");
    const piece = long.content.readRange(500_000, 500_100);
    assert.equal(new TextDecoder().decode(piece), LINES.slice(500_000, 500_100));
    assert.equal(readText(long), LINES);
  });

  const broken = "is broken";
  const cut = "ends too early; it was cut short";
  for (const [what, damaged, fault] of [
    ["with a flipped bit", flipped(archive, archive.byteLength >> 1), broken],
    ["with a flipped bit in its checksum", flipped(archive, archive.byteLength - 6), broken],
    ["with a flipped bit in its size", flipped(archive, archive.byteLength - 2), broken],
    ["with bytes after its end", Buffer.concat([archive, Buffer.from("behind")]), broken],
    ["that was cut short", archive.subarray(0, archive.byteLength - 9), cut],
    ["that was cut in the middle", archive.subarray(0, archive.byteLength >> 1), cut],
    ["without its last byte", archive.subarray(0, -1), cut],
  ] as const) {
    test(`${what} is refused`, async () => {
      await assert.rejects(
        listArchive(damaged),
        unreadable(`The gzip archive ${fault}; make it again and retry.`),
      );
    });
  }

  test("of a file that was moved is refused", async () => {
    const { readBlob } = readableBlobs();
    const file = new File([archive], "tree.tgz");
    await assert.rejects(
      listArchive(file, { readBlob }),
      unreadable(
        "The archive's file can no longer be read; it was changed or moved, so choose it again.",
      ),
    );
  });

  test("stops when the caller abandons it", async () => {
    const reason = new Error("abandoned");
    const controller = new AbortController();
    const report = () => controller.abort(reason);
    await assert.rejects(listArchive(archive, { report, signal: controller.signal }), reason);
  });
});

describe("an archive that inflates to too much", () => {
  const zeros = (mebibytes: number) => new Uint8Array(mebibytes * MEBIBYTE);
  const overRatio = (ratio: number) => ({
    name: "LimitExceeded",
    message: `The archive inflates to more than ${ratio} times its compressed size (maxCompressionRatio); if you trust it, raise limits.maxCompressionRatio`,
  });

  test("is refused, though it declares what it holds", async () => {
    const bomb = gzipSync(writeTar([{ name: "zeros", content: zeros(8) }]), { level: 9 });
    await assert.rejects(listArchive(bomb), overRatio(1000));
  });

  test("is refused, though what it inflates to is left out or stands behind its end", async () => {
    const skipped = gzipSync(writeTar([{ name: "zeros", content: zeros(4) }]));
    const behind = gzipSync(writeTar([{ name: "a" }], { endBlocks: 8192 }));
    const limits = { maxCompressionRatio: 50 };
    await assert.rejects(listArchive(skipped, { limits, skip: ["zeros"] }), overRatio(50));
    await assert.rejects(listArchive(behind, { limits }), overRatio(50));
  });

  test("is mounted up to a mebibyte, and if the limit allows it", async () => {
    const small = gzipSync(writeTar([{ name: "zeros", content: new Uint8Array(1_000_000) }]));
    assert.equal((await listArchive(small, { limits: { maxCompressionRatio: 2 } })).bytes, 1e6);
    const large = gzipSync(writeTar([{ name: "zeros", content: zeros(4) }]));
    const limits = { maxCompressionRatio: 2000 };
    assert.equal((await listArchive(large, { limits })).bytes, 4 * MEBIBYTE);
  });

  test("is refused if what is left out is more than all limits allow", async () => {
    const archive = gzipSync(writeTar([{ name: "left-out", content: LINES.repeat(2) }]));
    const options: ListOptions = {
      limits: { maxTotalBytes: 1000, maxEntries: 10 },
      skip: ["left-out"],
    };
    await assert.rejects(listArchive(archive, options), {
      name: "LimitExceeded",
      message:
        "The archive inflates to more than 1000 bytes (maxTotalBytes) and 4096 for each of 10 entries (maxEntries); mount a smaller archive, or raise limits.maxTotalBytes",
    });
  });
});
