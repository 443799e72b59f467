/** The bytes of one entry of a zip archive, read on demand. */
import { placeIn, type RandomAccess } from "../../random-access.ts";
import type { SourceContext } from "../../source-context.ts";
import type { FileContent } from "../../tree.ts";
import { viewOf } from "./zip-directory.ts";
import type { ZipEntry } from "./zip-entries.ts";

type OpenZlib = SourceContext["zlib"];

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_FIXED_BYTES = 30;
/** A local header with its name and fields, whose lengths only the header itself tells. */
const USUAL_HEADER_BYTES = 512;
export const STORED = 0;
export const DEFLATED = 8;

export function zipContent(archive: RandomAccess, entry: ZipEntry, zlib: OpenZlib): FileContent {
  const { headerStart, compressedBytes } = entry;
  const place = placeIn(archive, headerStart, headerStart + USUAL_HEADER_BYTES + compressedBytes);
  if (entry.method === STORED) {
    const stored = new StoredContent(archive, entry, zlib);
    return { kind: "ranges", readRange: (start, end) => stored.read(start, end), ...place };
  }
  return { kind: "whole", readWhole: () => inflateEntry(archive, entry, zlib), ...place };
}

/** Returns the content of an entry; throws if it is not what the directory declares. */
export function inflateEntry(archive: RandomAccess, entry: ZipEntry, zlib: OpenZlib): Uint8Array {
  const start = contentStart(archive, entry);
  const compressed = archive.read(start, start + entry.compressedBytes);
  if (entry.method === STORED) {
    requireChecksum(entry, zlib().crc32(0, compressed));
    return compressed;
  }
  // Never inflates more than the declared size, so a lying header costs no memory beyond it.
  const bytes = new Uint8Array(entry.sizeBytes);
  requireChecksum(entry, zlib().inflate(compressed, bytes));
  return bytes;
}

/**
 * The content of a stored entry, which is read in pieces.
 *
 * The checksum grows with the pieces that continue each other from the start, so it is known as soon
 * as the whole entry has been read once. If it differs, no piece can be read from then on.
 */
class StoredContent {
  readonly #archive: RandomAccess;
  readonly #entry: ZipEntry;
  readonly #zlib: OpenZlib;
  #start: number | null = null;
  #checkedBytes = 0;
  #checksum = 0;

  constructor(archive: RandomAccess, entry: ZipEntry, zlib: OpenZlib) {
    this.#archive = archive;
    this.#entry = entry;
    this.#zlib = zlib;
  }

  read(from: number, to: number): Uint8Array {
    this.#start ??= contentStart(this.#archive, this.#entry);
    const bytes = this.#archive.read(this.#start + from, this.#start + to);
    if (from <= this.#checkedBytes && this.#checkedBytes < to) {
      const unchecked = bytes.subarray(this.#checkedBytes - from);
      this.#checksum = this.#zlib().crc32(this.#checksum, unchecked);
      this.#checkedBytes = to;
    }
    if (this.#checkedBytes === this.#entry.sizeBytes) {
      requireChecksum(this.#entry, this.#checksum);
    }
    return bytes;
  }
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

function requireChecksum(entry: ZipEntry, checksum: number): void {
  if (checksum !== entry.crc32) {
    throw new Error("the checksum differs");
  }
}
