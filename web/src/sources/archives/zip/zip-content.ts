/** The bytes of one entry of a zip archive, had when they are asked for. */
import type { RandomAccess } from "../../random-access.ts";
import type { FileContent } from "../../tree.ts";
import { crc32 } from "./crc32.ts";
import { inflateInto } from "./inflate.ts";
import { viewOf } from "./zip-directory.ts";
import type { ZipEntry } from "./zip-entries.ts";

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_FIXED_BYTES = 30;
export const STORED = 0;
export const DEFLATED = 8;

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
  // No more is ever made than is declared: here a lying header costs nothing beyond that.
  const bytes = new Uint8Array(entry.sizeBytes);
  inflateInto(compressed, bytes);
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
