/** A zip archive's table of contents at its end, and the entries as it spells them. */
import { TreeglassError } from "../../../protocol/errors.ts";
import { decodeUtf8 } from "../../names.ts";
import { type RandomAccess, viewOf, WindowReader } from "../../random-access.ts";
import { readZip64Record, wideNumbers } from "./zip64.ts";

export interface ZipDirectory {
  readonly start: number;
  readonly end: number;
  readonly entryCount: number;
  /** Added to every offset: the number of bytes before the archive itself. */
  readonly shiftBytes: number;
}

/** One entry; sizes and offsets are what the archive claims. */
export interface ZipEntry {
  readonly path: string;
  /** The decoding of a path whose bytes are not UTF-8; null if they are. */
  readonly pathConversion: string | null;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** The Unix mode with its file type, or 0 if the archive was not made on Unix. */
  readonly unixMode: number;
  readonly isDosDirectory: boolean;
  readonly headerStart: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const UNIX_MAKERS: ReadonlySet<number> = new Set([3, 19]);
const UTF8_FLAG = 0x800;

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

/** Yields the entries in the directory's order; throws `SourceUnreadable` if it is broken. */
export function* zipEntries(archive: RandomAccess, directory: ZipDirectory): Generator<ZipEntry> {
  for (const record of zipRecords(archive, directory)) {
    const fixed = viewOf(record);
    const extraStart = ENTRY_BYTES + fixed.getUint16(28, true);
    yield parseEntry(
      fixed,
      record.subarray(ENTRY_BYTES, extraStart),
      record.subarray(extraStart, extraStart + fixed.getUint16(30, true)),
      directory.shiftBytes,
    );
  }
}

/**
 * Tells whether the directory holds more entries than the limit.
 *
 * Counts only if the directory has room for so many and declares fewer.
 */
export function hasMoreZipEntries(
  archive: RandomAccess,
  directory: ZipDirectory,
  limit: number,
): boolean {
  if (directory.end - directory.start <= limit * ENTRY_BYTES) {
    return false;
  }
  if (directory.entryCount > limit) {
    return true;
  }
  let count = 0;
  for (const _ of zipRecords(archive, directory)) {
    count += 1;
    if (count > limit) {
      return true;
    }
  }
  return false;
}

/** Yields the bytes of each record of the directory, which are valid until the next one. */
function* zipRecords(archive: RandomAccess, directory: ZipDirectory): Generator<Uint8Array> {
  const windows = new WindowReader(archive, directory.start, directory.end);
  const take = (start: number, length: number): Uint8Array => {
    if (start + length > directory.end) {
      throw unreadable("has a table of contents that ends too early");
    }
    return windows.read(start, length);
  };
  let position = directory.start;
  // The count has 16 bits, and a packer of more entries may have let it overflow.
  const isEntryLeft = (): boolean =>
    position + ENTRY_BYTES <= directory.end &&
    viewOf(take(position, ENTRY_BYTES)).getUint32(0, true) === ENTRY_SIGNATURE;
  for (let index = 0; index < directory.entryCount || isEntryLeft(); index += 1) {
    const fixed = viewOf(take(position, ENTRY_BYTES));
    if (fixed.getUint32(0, true) !== ENTRY_SIGNATURE) {
      throw unreadable("has a broken table of contents");
    }
    const length =
      ENTRY_BYTES +
      fixed.getUint16(28, true) +
      fixed.getUint16(30, true) +
      fixed.getUint16(32, true);
    yield take(position, length);
    position += length;
  }
}

function parseEntry(
  fixed: DataView,
  name: Uint8Array,
  extra: Uint8Array,
  shiftBytes: number,
): ZipEntry {
  const flags = fixed.getUint16(8, true);
  const fields = parseExtra(extra);
  const zip64 = fields.get(0x0001);
  const narrow = [24, 20, 42].map((at) => fixed.getUint32(at, true));
  const [sizeBytes = 0, compressedBytes = 0, headerStart = 0] =
    zip64 === undefined ? narrow : wideNumbers(zip64, narrow);
  const attributes = fixed.getUint32(38, true);
  return {
    ...decodePath(name, (flags & UTF8_FLAG) !== 0),
    flags,
    method: fixed.getUint16(10, true),
    crc32: fixed.getUint32(16, true),
    sizeBytes,
    compressedBytes,
    headerStart: headerStart + shiftBytes,
    modifiedMs: modifiedMsOf(fixed, fields),
    unixMode: UNIX_MAKERS.has(fixed.getUint8(5)) ? attributes >>> 16 : 0,
    isDosDirectory: (attributes & 0x10) !== 0,
  };
}

function parseExtra(extra: Uint8Array): ReadonlyMap<number, DataView> {
  const fields = new Map<number, DataView>();
  const view = viewOf(extra);
  let at = 0;
  while (at + 4 <= extra.byteLength) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.byteLength) {
      break;
    }
    fields.set(view.getUint16(at, true), viewOf(extra.subarray(at + 4, end)));
    at = end;
  }
  return fields;
}

function decodePath(
  name: Uint8Array,
  saysUtf8: boolean,
): { readonly path: string; readonly pathConversion: string | null } {
  const { text, isUtf8 } = decodeUtf8(name);
  if (isUtf8) {
    // Many packers write UTF-8 without the flag, and hardly any other name is valid UTF-8.
    return { path: text, pathConversion: null };
  }
  return saysUtf8
    ? { path: text, pathConversion: "the name is not UTF-8; broken bytes replaced by U+FFFD" }
    : { path: cp437(name), pathConversion: "the name is not UTF-8; read as code page 437" };
}

function modifiedMsOf(fixed: DataView, fields: ReadonlyMap<number, DataView>): number {
  const extended = fields.get(0x5455);
  if (extended !== undefined && extended.byteLength >= 5 && (extended.getUint8(0) & 1) !== 0) {
    return extended.getInt32(1, true) * 1000;
  }
  return dosTimeMs(fixed.getUint16(14, true), fixed.getUint16(12, true));
}

/** Reads a DOS time, which has no time zone, as UTC: the same on every machine. */
function dosTimeMs(date: number, time: number): number {
  return Date.UTC(
    1980 + (date >> 9),
    Math.max(0, ((date >> 5) & 15) - 1),
    Math.max(1, date & 31),
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
}

/** The upper half of code page 437, the encoding of names that are not UTF-8. */
const UPPER =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0";

function cp437(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : UPPER.charAt(byte - 0x80),
  ).join("");
}

function unreadable(what: string): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The zip archive ${what}; make it again and retry.`,
  );
}
