/** The bytes of one entry of a zip archive, had when they are asked for. */
import { Inflate, inflateSync } from "fflate";
import type { RandomAccess } from "../../random-access.ts";
import type { FileContent } from "../../tree.ts";
import { crc32 } from "./crc32.ts";
import { viewOf } from "./zip-directory.ts";
import type { ZipEntry } from "./zip-entries.ts";

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_FIXED_BYTES = 30;
export const STORED = 0;
export const DEFLATED = 8;

/**
 * Most compressed bytes that are inflated in one go.
 *
 * Deflate makes at most 1,032 bytes of one, so this bounds what a lying header can cost beyond the
 * size it declares: 16 MiB, once.
 */
const INFLATE_BLOCK_BYTES = 16 * 1024;

/** Returns where the bytes of a stored or deflated entry come from. */
export function zipContent(archive: RandomAccess, entry: ZipEntry): FileContent {
  if (entry.method === STORED) {
    let start: number | null = null;
    return {
      kind: "ranges",
      readRange: (from, to) => {
        start ??= contentStart(archive, entry);
        return archive.read(start + from, start + to);
      },
    };
  }
  return { kind: "whole", readWhole: () => inflateEntry(archive, entry) };
}

/** Returns the content of an entry; throws where it is not what the directory declares. */
export function inflateEntry(archive: RandomAccess, entry: ZipEntry): Uint8Array {
  const start = contentStart(archive, entry);
  const compressed = archive.read(start, start + entry.compressedBytes);
  if (entry.method === STORED) {
    return compressed;
  }
  const bytes =
    compressed.byteLength <= INFLATE_BLOCK_BYTES
      ? inflateAtOnce(compressed, entry.sizeBytes)
      : inflateByBlocks(compressed, entry.sizeBytes);
  if (crc32(bytes) !== entry.crc32) {
    throw new Error("the checksum differs");
  }
  return bytes;
}

function contentStart(archive: RandomAccess, entry: ZipEntry): number {
  const header = viewOf(archive.read(entry.headerStart, entry.headerStart + LOCAL_FIXED_BYTES));
  if (header.byteLength < LOCAL_FIXED_BYTES || header.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw new Error("the local header is missing");
  }
  const start =
    entry.headerStart + LOCAL_FIXED_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + entry.compressedBytes > archive.sizeBytes) {
    throw new Error("the content ends after the archive");
  }
  return start;
}

function inflateAtOnce(compressed: Uint8Array, sizeBytes: number): Uint8Array {
  // One byte more than declared: fflate drops what does not fit, and that byte tells of it.
  const bytes = inflateSync(compressed, { out: new Uint8Array(sizeBytes + 1) });
  if (bytes.byteLength !== sizeBytes) {
    throw new Error("the content has another size than declared");
  }
  return bytes;
}

function inflateByBlocks(compressed: Uint8Array, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let filled = 0;
  const inflater = new Inflate((block) => {
    if (filled + block.byteLength > sizeBytes) {
      throw new Error("the content is larger than declared");
    }
    bytes.set(block, filled);
    filled += block.byteLength;
  });
  for (let at = 0; at < compressed.byteLength; at += INFLATE_BLOCK_BYTES) {
    const end = at + INFLATE_BLOCK_BYTES;
    inflater.push(compressed.subarray(at, end), end >= compressed.byteLength);
  }
  if (filled !== sizeBytes) {
    throw new Error("the content is smaller than declared");
  }
  return bytes;
}
