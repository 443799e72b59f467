/** The bytes of one entry of a zip archive, read on demand. */
import { placeIn, type RandomAccess } from "../../random-access.ts";
import type { FastInflate, FileContent } from "../../tree.ts";
import { inflateInto } from "./inflate.ts";
import { viewOf } from "./zip-directory.ts";
import type { ZipEntry } from "./zip-entries.ts";

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_FIXED_BYTES = 30;
/** A local header with its name and fields, whose lengths only the header itself tells. */
const USUAL_HEADER_BYTES = 512;
export const STORED = 0;
export const DEFLATED = 8;

/** Returns the lazy content of a stored or deflated entry. */
export function zipContent(archive: RandomAccess, entry: ZipEntry): FileContent {
  const { headerStart, compressedBytes } = entry;
  const place = placeIn(archive, headerStart, headerStart + USUAL_HEADER_BYTES + compressedBytes);
  if (entry.method === STORED) {
    const stored = new StoredContent(archive, entry);
    return { kind: "ranges", readRange: (start, end) => stored.read(start, end), ...place };
  }
  const readWhole = (inflate?: FastInflate) => inflateEntry(archive, entry, inflate);
  return { kind: "whole", readWhole, ...place };
}

/** Returns the content of an entry; throws if it is not what the directory declares. */
export function inflateEntry(
  archive: RandomAccess,
  entry: ZipEntry,
  inflate?: FastInflate,
): Uint8Array {
  const start = contentStart(archive, entry);
  const compressed = archive.read(start, start + entry.compressedBytes);
  if (entry.method === STORED) {
    requireChecksum(entry, addToCrc32(CRC_START, compressed));
    return compressed;
  }
  // Never inflates more than the declared size, so a lying header costs no memory beyond it.
  const bytes = new Uint8Array(entry.sizeBytes);
  if (inflate?.(compressed, bytes) === entry.crc32) {
    return bytes;
  }
  inflateInto(compressed, bytes);
  requireChecksum(entry, addToCrc32(CRC_START, bytes));
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
  #start: number | null = null;
  #checkedBytes = 0;
  #remainder = CRC_START;

  constructor(archive: RandomAccess, entry: ZipEntry) {
    this.#archive = archive;
    this.#entry = entry;
  }

  read(from: number, to: number): Uint8Array {
    this.#start ??= contentStart(this.#archive, this.#entry);
    const bytes = this.#archive.read(this.#start + from, this.#start + to);
    if (from <= this.#checkedBytes && this.#checkedBytes < to) {
      this.#remainder = addToCrc32(this.#remainder, bytes.subarray(this.#checkedBytes - from));
      this.#checkedBytes = to;
    }
    if (this.#checkedBytes === this.#entry.sizeBytes) {
      requireChecksum(this.#entry, this.#remainder);
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

/** Four bytes are taken at once: each has a table, by how many of the four follow it. */
const CRC_TABLES = crcTables();

const CRC_START = 0xffffffff;

/** Returns the state of a checksum after more bytes; `CRC_START` is the state before all. */
function addToCrc32(state: number, bytes: Uint8Array): number {
  const [last, third, second, first] = CRC_TABLES;
  const view = viewOf(bytes);
  const rest = bytes.byteLength & ~3;
  let remainder = state;
  for (let at = 0; at < rest; at += 4) {
    const word = remainder ^ view.getUint32(at, true);
    remainder =
      (first[word & 0xff] ?? 0) ^
      (second[(word >>> 8) & 0xff] ?? 0) ^
      (third[(word >>> 16) & 0xff] ?? 0) ^
      (last[word >>> 24] ?? 0);
  }
  for (let at = rest; at < bytes.byteLength; at += 1) {
    remainder = (last[(remainder ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (remainder >>> 8);
  }
  return remainder;
}

function crcTables(): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const last = Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      remainder = (remainder & 1) !== 0 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
    }
    return remainder;
  });
  const followed = (table: Uint32Array): Uint32Array =>
    table.map((remainder) => (remainder >>> 8) ^ (last[remainder & 0xff] ?? 0));
  const third = followed(last);
  const second = followed(third);
  return [last, third, second, followed(second)];
}

function requireChecksum(entry: ZipEntry, state: number): void {
  if ((state ^ 0xffffffff) >>> 0 !== entry.crc32) {
    throw new Error("the checksum differs");
  }
}
