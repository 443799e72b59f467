import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { before, describe, test } from "node:test";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import { writeTar } from "../support/archives/tar-writer.ts";
import { draw, type ListOptions, listArchive, reportOf, reportWith } from "../support/mounting.ts";
import {
  type PythonDecompressors,
  startDecompressors,
} from "../support/python/python-decompressor.ts";

const MEBIBYTE = 1024 * 1024;
const LINES = Array.from({ length: 40_000 }, (_, index) => `${index * 7919} line\n`).join("");
const TREE = { "a.txt": "text", dir: { "long.txt": LINES } };
const TAR = writeTar([
  { name: "a.txt", content: "text" },
  { name: "dir/long.txt", content: LINES },
]);
/** Compresses as Python's own modules do; starts a new stream at each cut. */
function compress(
  module: "gzip" | "bz2" | "lzma",
  bytes: Uint8Array,
  cuts: number[] = [],
): Uint8Array {
  const script = [
    `import sys, ${module}`,
    "given = sys.stdin.buffer.read()",
    `cuts = [0, *${JSON.stringify(cuts)}, len(given)]`,
    "for start, end in zip(cuts, cuts[1:]):",
    `    sys.stdout.buffer.write(${module}.compress(given[start:end]))`,
  ].join("\n");
  return new Uint8Array(
    execFileSync("python3", ["-c", script], { input: bytes, maxBuffer: 64 * MEBIBYTE }),
  );
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

const unreadable = (message: string) => ({
  name: "SourceUnreadable",
  message,
});

describe("compressed tar archives", () => {
  let python: PythonDecompressors;
  const list = (archive: Uint8Array, options: ListOptions = {}) =>
    listArchive(archive, { openDecompressor: python.openDecompressor, ...options });

  before(async () => {
    python = await startDecompressors();
  });

  for (const [mode, name] of [
    ["w:gz", "gzip"],
    ["w:bz2", "bzip2"],
    ["w:xz", "xz"],
  ] as const) {
    test(`a tar archive in ${name} that another program wrote is read`, async () => {
      const script = [
        "import io, sys, tarfile",
        "out = io.BytesIO()",
        `tar = tarfile.open(fileobj=out, mode="${mode}")`,
        "for name, content in (('a.txt', b'text'), ('dir/long.txt', sys.stdin.buffer.read())):",
        "    member = tarfile.TarInfo(name)",
        "    member.size = len(content)",
        "    tar.addfile(member, io.BytesIO(content))",
        "tar.close()",
        "sys.stdout.buffer.write(out.getvalue())",
      ].join("\n");
      const archive = new Uint8Array(execFileSync("python3", ["-c", script], { input: LINES }));
      const events: ProgressEvent[] = [];
      const tree = await list(archive, { report: (event) => events.push(event) });
      assert.deepEqual(draw(tree.root), TREE);
      assert.deepEqual(
        reportOf(tree),
        reportWith({ files: 2, directories: 1, bytes: LINES.length + 4 }),
      );
      const total = archive.byteLength;
      assert.deepEqual(events.at(-1), { phase: "unpack", loaded: total, total });
      assert.equal(python.countOpen(), 0);
    });
  }

  for (const [name, module] of [
    ["gzip", "gzip"],
    ["bzip2", "bz2"],
    ["xz", "lzma"],
  ] as const) {
    test(`several streams of ${name} one after the other are one archive`, async () => {
      const archive = compress(module, TAR, [700, 9000]);
      assert.deepEqual(draw((await list(archive)).root), TREE);
    });

    test(`a broken or shortened archive in ${name} is refused, and nothing stays open`, async () => {
      const archive = compress(module, TAR);
      await assert.rejects(
        list(flipped(archive, archive.byteLength - 4)),
        unreadable(`The ${name} archive is broken; make it again and retry.`),
      );
      await assert.rejects(
        list(archive.subarray(0, -1)),
        unreadable(
          `The ${name} archive ends too early; it was cut short; make it again and retry.`,
        ),
      );
      assert.equal(python.countOpen(), 0);
    });

    test(`a text in ${name} is refused as no archive`, async () => {
      await assert.rejects(
        list(compress(module, new TextEncoder().encode("text"))),
        unreadable(
          `The file is compressed by ${name} and holds no tar archive, or a broken one; unpack it and mount its files with { files }.`,
        ),
      );
    });

    test(`an archive in ${name} that inflates to too much is refused`, async () => {
      const zeros = { name: "zeros", content: new Uint8Array(4 * MEBIBYTE) };
      const bomb = compress(module, writeTar([zeros]));
      await assert.rejects(list(bomb), {
        name: "LimitExceeded",
        message:
          "The archive inflates to more than 1000 times its compressed size (maxCompressionRatio); if you trust it, raise limits.maxCompressionRatio",
      });
      assert.equal(python.countOpen(), 0);
    });
  }
});
