/** Finds a zip archive's table of contents; reads only the end of the archive. */
import { TreeglassError } from "../../../protocol/errors.ts";
import type { RandomAccess } from "../../random-access.ts";

export interface ZipDirectory {
  readonly start: number;
  readonly end: number;
  readonly entryCount: number;
  /** Added to every offset: the number of bytes before the archive itself. */
  readonly shiftBytes: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_END_BYTES = 56;

/** Finds the central directory; throws `SourceUnreadable` if it is missing or broken. */
export function findZipDirectory(archive: RandomAccess): ZipDirectory {
  const tailStart = Math.max(0, archive.sizeBytes - END_BYTES - MAX_COMMENT_BYTES);
  const tail = viewOf(archive.read(tailStart, archive.sizeBytes));
  const at = findEndRecord(tail);
  if (at === null) {
    throw unreadable("has no table of contents at its end; it may have been cut short");
  }
  if (tail.getUint16(at + 4, true) !== tail.getUint16(at + 6, true)) {
    throw unreadable("is one part of an archive in several parts");
  }
  const record = {
    position: tailStart + at,
    entryCount: tail.getUint16(at + 10, true),
    sizeBytes: tail.getUint32(at + 12, true),
    start: tail.getUint32(at + 16, true),
  };
  const isZip64 =
    record.entryCount === 0xffff || record.sizeBytes === 0xffffffff || record.start === 0xffffffff;
  const { position, entryCount, sizeBytes, start } =
    (isZip64 ? readZip64Record(archive, record.position) : null) ?? record;
  // Offsets do not count bytes that stand before the archive, such as a program that unpacks it.
  const shiftBytes = position - sizeBytes - start;
  if (shiftBytes < 0) {
    throw unreadable("has a table of contents that points outside of it");
  }
  return { start: start + shiftBytes, end: position, entryCount, shiftBytes };
}

function findEndRecord(tail: DataView): number | null {
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (
      tail.getUint32(at, true) === END_SIGNATURE &&
      at + END_BYTES + tail.getUint16(at + 20, true) <= tail.byteLength
    ) {
      return at;
    }
  }
  return null;
}

function readZip64Record(
  archive: RandomAccess,
  endPosition: number,
): { position: number; entryCount: number; sizeBytes: number; start: number } | null {
  const locatorStart = endPosition - ZIP64_LOCATOR_BYTES;
  if (locatorStart < 0) {
    return null;
  }
  const locator = viewOf(archive.read(locatorStart, endPosition));
  if (locator.getUint32(0, true) !== ZIP64_LOCATOR_SIGNATURE) {
    return null;
  }
  // The locator's offset does not count bytes before the archive either, so the place right before
  // the locator is tried too.
  for (const position of [readUint64(locator, 8), locatorStart - ZIP64_END_BYTES]) {
    if (position >= 0 && position + ZIP64_END_BYTES <= locatorStart) {
      const record = viewOf(archive.read(position, position + ZIP64_END_BYTES));
      if (record.getUint32(0, true) === ZIP64_END_SIGNATURE) {
        return {
          position,
          entryCount: readUint64(record, 32),
          sizeBytes: readUint64(record, 40),
          start: readUint64(record, 48),
        };
      }
    }
  }
  throw unreadable("has a broken table of contents (zip64)");
}

/** Returns an unsigned 64-bit number; above 2^53 it is rounded, and larger than any archive. */
export function readUint64(view: DataView, offset: number): number {
  return Number(view.getBigUint64(offset, true));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function unreadable(what: string): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The zip archive ${what}; make it again and retry.`,
  );
}
