/** The entries of a zip archive's central directory, as it spells them. */
import { decodeUtf8 } from "../../names.ts";
import { type RandomAccess, WindowReader } from "../../random-access.ts";
import { readUint64, unreadable, viewOf, type ZipDirectory } from "./zip-directory.ts";

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

const SIGNATURE = 0x02014b50;
const FIXED_BYTES = 46;
const UNIX_MAKERS: ReadonlySet<number> = new Set([3, 19]);
const UTF8_FLAG = 0x800;
const SATURATED = 0xffffffff;

/** Yields the entries in the directory's order; throws `SourceUnreadable` if it is broken. */
export function* zipEntries(archive: RandomAccess, directory: ZipDirectory): Generator<ZipEntry> {
  for (const record of zipRecords(archive, directory)) {
    const fixed = viewOf(record);
    const extraStart = FIXED_BYTES + fixed.getUint16(28, true);
    yield parseEntry(
      fixed,
      record.subarray(FIXED_BYTES, extraStart),
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
  if (directory.end - directory.start <= limit * FIXED_BYTES) {
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
    position + FIXED_BYTES <= directory.end &&
    viewOf(take(position, FIXED_BYTES)).getUint32(0, true) === SIGNATURE;
  for (let index = 0; index < directory.entryCount || isEntryLeft(); index += 1) {
    const fixed = viewOf(take(position, FIXED_BYTES));
    if (fixed.getUint32(0, true) !== SIGNATURE) {
      throw unreadable("has a broken table of contents");
    }
    const length =
      FIXED_BYTES +
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
  const wide = wideSizes(fields.get(0x0001), [
    fixed.getUint32(24, true),
    fixed.getUint32(20, true),
    fixed.getUint32(42, true),
  ]);
  const attributes = fixed.getUint32(38, true);
  return {
    ...decodePath(name, (flags & UTF8_FLAG) !== 0),
    flags,
    method: fixed.getUint16(10, true),
    crc32: fixed.getUint32(16, true),
    sizeBytes: wide[0],
    compressedBytes: wide[1],
    headerStart: wide[2] + shiftBytes,
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

/** Replaces each saturated number by its 64-bit form; zip64 holds only those, in this order. */
function wideSizes(
  zip64: DataView | undefined,
  narrow: readonly [number, number, number],
): readonly [number, number, number] {
  let at = 0;
  const widen = (value: number): number => {
    if (value !== SATURATED || zip64 === undefined || at + 8 > zip64.byteLength) {
      return value;
    }
    at += 8;
    return readUint64(zip64, at - 8);
  };
  return [widen(narrow[0]), widen(narrow[1]), widen(narrow[2])];
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
