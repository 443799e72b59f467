/** A zip archive as a tree: the central directory is the index, the content stays packed. */
import { decodeUtf8 } from "../../names.ts";
import { placeIn, type RandomAccess, viewOf } from "../../random-access.ts";
import {
  CHECKPOINT_ENTRIES,
  RATIO_EXEMPT_BYTES,
  type SourceContext,
} from "../../source-context.ts";
import type { FileContent } from "../../tree.ts";
import type { TreeBuilder } from "../../tree-builder.ts";
import { findZipDirectory, hasMoreZipEntries, type ZipEntry, zipEntries } from "./zip-directory.ts";

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_FIXED_BYTES = 30;
/** A local header with its name and fields, whose lengths only the header itself tells. */
const USUAL_HEADER_BYTES = 512;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000;
const FILE_TYPE = 0o170000;
const DIRECTORY_TYPE = 0o040000;
const SYMLINK_TYPE = 0o120000;
const REGULAR_TYPE = 0o100000;
const MAX_TARGET_BYTES = 4095;

/**
 * Deflate adds a few bytes to content that it cannot compress. A compressed form that is far larger
 * than its content is padding: no limit counts it, but inflating it takes time, for a link already
 * during the mount.
 */
const MAX_DEFLATE_GROWTH = 2;
const MAX_DEFLATE_OVERHEAD_BYTES = 1024;

/**
 * Lists an archive.
 *
 * Throws `SourceUnreadable` if its table of contents is broken, and `LimitExceeded` for too many
 * entries before it adds the first.
 */
export async function openZip(archive: RandomAccess, context: SourceContext): Promise<void> {
  const directory = findZipDirectory(archive);
  const { maxEntries } = context.builder.limits;
  if (hasMoreZipEntries(archive, directory, maxEntries)) {
    context.builder.requireRoomFor(maxEntries + 1);
  }
  let loaded = 0;
  for (const entry of zipEntries(archive, directory)) {
    addEntry(archive, entry, context);
    loaded += 1;
    if (loaded % CHECKPOINT_ENTRIES === 0) {
      await context.checkpoint(loaded, directory.entryCount);
    }
  }
}

function addEntry(archive: RandomAccess, entry: ZipEntry, { builder, zlib }: SourceContext): void {
  const { path, modifiedMs } = entry;
  const type = entry.unixMode & FILE_TYPE;
  const isDirectory = /[\\/]$/.test(path) || type === DIRECTORY_TYPE || entry.isDosDirectory;
  const fault = isDirectory
    ? null
    : faultOf(archive, entry, type, builder.limits.maxCompressionRatio);
  if (fault !== null) {
    builder.skip(path, fault);
    return;
  }
  if (entry.pathConversion !== null) {
    builder.report.convert(path, entry.pathConversion);
  }
  if (isDirectory) {
    builder.addDirectory(path, modifiedMs);
  } else if (type === SYMLINK_TYPE) {
    addSymlink(entry, () => inflateEntry(archive, entry, zlib), builder);
  } else {
    const content = zipContent(archive, entry, zlib);
    builder.addFile(path, entry.sizeBytes, modifiedMs, content, entry.unixMode);
  }
}

function faultOf(
  archive: RandomAccess,
  entry: ZipEntry,
  type: number,
  maxCompressionRatio: number,
): string | null {
  const { method, sizeBytes, compressedBytes } = entry;
  if ((entry.flags & ENCRYPTED_FLAGS) !== 0) {
    return "is encrypted";
  }
  if (type !== 0 && type !== REGULAR_TYPE && type !== SYMLINK_TYPE) {
    return "is a device, a pipe or a socket";
  }
  if (method !== STORED && method !== DEFLATED) {
    return `is compressed by method ${method}; only stored (0) and deflated (8) entries can be read`;
  }
  // An empty file is never inflated, so its checksum would go unchecked.
  if (sizeBytes === 0 && entry.crc32 !== 0) {
    return "is declared empty, and has the checksum of some content";
  }
  if (method === STORED && sizeBytes !== compressedBytes) {
    return "is stored with two different sizes";
  }
  if (compressedBytes > sizeBytes * MAX_DEFLATE_GROWTH + MAX_DEFLATE_OVERHEAD_BYTES) {
    return `is ${compressedBytes} bytes of compressed form for ${sizeBytes} bytes of content`;
  }
  if (entry.headerStart + compressedBytes > archive.sizeBytes) {
    return "lies outside of the archive";
  }
  // Content never gets larger than declared (see `zipContent`), so the ratio is known in advance.
  if (sizeBytes > RATIO_EXEMPT_BYTES && sizeBytes > compressedBytes * maxCompressionRatio) {
    return `would grow more than ${maxCompressionRatio} times (maxCompressionRatio)`;
  }
  return null;
}

function addSymlink(entry: ZipEntry, read: () => Uint8Array, builder: TreeBuilder): void {
  if (entry.sizeBytes > MAX_TARGET_BYTES) {
    builder.skip(entry.path, "is a link whose target is not a path");
    return;
  }
  let bytes: Uint8Array;
  try {
    bytes = read();
  } catch {
    builder.skip(entry.path, "is a link whose target cannot be read");
    return;
  }
  const { text, isUtf8 } = decodeUtf8(bytes);
  if (!isUtf8) {
    builder.report.convert(entry.path, "the target is not UTF-8; broken bytes replaced by U+FFFD");
  }
  builder.addSymlink(entry.path, text, entry.modifiedMs, true);
}

function zipContent(
  archive: RandomAccess,
  entry: ZipEntry,
  zlib: SourceContext["zlib"],
): FileContent {
  const { headerStart, compressedBytes } = entry;
  const place = placeIn(archive, headerStart, headerStart + USUAL_HEADER_BYTES + compressedBytes);
  if (entry.method === STORED) {
    const stored = new StoredContent(archive, entry, zlib);
    return { kind: "ranges", readRange: (start, end) => stored.read(start, end), ...place };
  }
  return { kind: "whole", readWhole: () => inflateEntry(archive, entry, zlib), ...place };
}

/** Returns the content of an entry; throws if it is not what the directory declares. */
function inflateEntry(
  archive: RandomAccess,
  entry: ZipEntry,
  zlib: SourceContext["zlib"],
): Uint8Array {
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
  readonly #zlib: SourceContext["zlib"];
  #start: number | null = null;
  #checkedBytes = 0;
  #checksum = 0;

  constructor(archive: RandomAccess, entry: ZipEntry, zlib: SourceContext["zlib"]) {
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
