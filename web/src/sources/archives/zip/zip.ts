/** A zip archive as a tree: the central directory is the index, the content stays packed. */
import { decodeUtf8 } from "../../names.ts";
import type { RandomAccess } from "../../random-access.ts";
import {
  CHECKPOINT_ENTRIES,
  RATIO_EXEMPT_BYTES,
  type SourceContext,
} from "../../source-context.ts";
import type { TreeBuilder } from "../../tree-builder.ts";
import { DEFLATED, inflateEntry, STORED, zipContent } from "./zip-content.ts";
import { findZipDirectory } from "./zip-directory.ts";
import { hasMoreZipEntries, type ZipEntry, zipEntries } from "./zip-entries.ts";

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
