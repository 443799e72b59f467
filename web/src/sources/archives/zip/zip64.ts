/** The 64-bit numbers of a zip archive that is too large, or has too many entries, for 32 bits. */
import { TreeglassError } from "../../../protocol/errors.ts";
import { type RandomAccess, viewOf } from "../../random-access.ts";

const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const END_SIGNATURE = 0x06064b50;
const END_BYTES = 56;
const SATURATED = 0xffffffff;

/** Returns what the wide end record says of the table of contents; null if it is missing. */
export function readZip64Record(
  archive: RandomAccess,
  endPosition: number,
): { position: number; entryCount: number; sizeBytes: number; start: number } | null {
  const locatorStart = endPosition - LOCATOR_BYTES;
  if (locatorStart < 0) {
    return null;
  }
  const locator = viewOf(archive.read(locatorStart, endPosition));
  if (locator.getUint32(0, true) !== LOCATOR_SIGNATURE) {
    return null;
  }
  // The locator's offset does not count bytes before the archive either, so the place right before
  // the locator is tried too.
  for (const position of [readUint64(locator, 8), locatorStart - END_BYTES]) {
    if (position >= 0 && position + END_BYTES <= locatorStart) {
      const record = viewOf(archive.read(position, position + END_BYTES));
      if (record.getUint32(0, true) === END_SIGNATURE) {
        return {
          position,
          entryCount: readUint64(record, 32),
          sizeBytes: readUint64(record, 40),
          start: readUint64(record, 48),
        };
      }
    }
  }
  throw new TreeglassError(
    "SourceUnreadable",
    "The zip archive has a broken table of contents (zip64); make it again and retry.",
  );
}

/** Replaces each saturated number by its 64-bit form; zip64 holds only those, in this order. */
export function wideNumbers(zip64: DataView, narrow: readonly number[]): readonly number[] {
  let at = 0;
  return narrow.map((value) => {
    if (value !== SATURATED || at + 8 > zip64.byteLength) {
      return value;
    }
    at += 8;
    return readUint64(zip64, at - 8);
  });
}

/** Returns an unsigned 64-bit number; above 2^53 it is rounded, and larger than any archive. */
function readUint64(view: DataView, offset: number): number {
  return Number(view.getBigUint64(offset, true));
}
