/** One header of a tar archive: 512 bytes of fields at fixed places. */
import { joined } from "../../../lib/bytes.ts";

export const BLOCK_BYTES = 512;
const SLASH = Uint8Array.of(0x2f);

/** The fields of a header, undecoded. */
export interface TarHeader {
  /** One character; NUL in the oldest format for a file. */
  readonly type: string;
  readonly path: Uint8Array;
  readonly target: Uint8Array;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly unixMode: number;
}

const CHECKSUM_START = 148;
const CHECKSUM_END = 156;
const SPACE = 0x20;
/** The checksum's own field counts as eight spaces. */
const SPACES_SUM = SPACE * (CHECKSUM_END - CHECKSUM_START);
const MAGIC = new TextEncoder().encode("ustar");
const POSIX_MAGIC_END = 0;

/**
 * Tells whether the start of a file is that of a tar archive: a header, or two blocks of zeros.
 *
 * A header with "ustar" counts even with a wrong checksum: the archive is then a broken tar.
 */
export function looksLikeTar(start: Uint8Array): boolean {
  if (start.byteLength < BLOCK_BYTES) {
    return false;
  }
  const block = start.subarray(0, BLOCK_BYTES);
  if (isZeroBlock(block)) {
    const next = start.subarray(BLOCK_BYTES, 2 * BLOCK_BYTES);
    return next.byteLength === BLOCK_BYTES && isZeroBlock(next);
  }
  return hasMagic(block) || isChecksumRight(block);
}

export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Parses a header; returns null for a block that is not a valid header. */
export function parseHeader(block: Uint8Array): TarHeader | null {
  const sizeBytes = parseNumber(block, 124, 136);
  if (!isChecksumRight(block) || !isSize(sizeBytes)) {
    return null;
  }
  const name = textField(block, 0, 100);
  // GNU's older format has times at the place where POSIX has the first part of a long path.
  const isPosix = hasMagic(block) && block[257 + MAGIC.byteLength] === POSIX_MAGIC_END;
  const prefix = isPosix ? textField(block, 345, 500) : new Uint8Array();
  return {
    type: String.fromCharCode(block[156] ?? 0),
    path: prefix.byteLength === 0 ? name : joined([prefix, SLASH, name]),
    target: textField(block, 157, 257),
    sizeBytes,
    modifiedMs: (parseNumber(block, 136, 148) ?? 0) * 1000,
    unixMode: parseNumber(block, 100, 108) ?? 0,
  };
}

export function isSize(value: number | null): value is number {
  return value !== null && Number.isSafeInteger(value) && value >= 0;
}

function textField(block: Uint8Array, start: number, end: number): Uint8Array {
  const nulAt = block.indexOf(0, start);
  return block.subarray(start, nulAt === -1 ? end : Math.min(nulAt, end));
}

function hasMagic(block: Uint8Array): boolean {
  return MAGIC.every((byte, index) => block[257 + index] === byte);
}

function isChecksumRight(block: Uint8Array): boolean {
  const declared = parseNumber(block, CHECKSUM_START, CHECKSUM_END);
  const sum = sumOf(block) - sumOf(block.subarray(CHECKSUM_START, CHECKSUM_END)) + SPACES_SUM;
  return declared === sum || declared === sum - 256 * countHighBytes(block);
}

/**
 * Adds up bytes, four at a time, in four sums of 16 bits; for one block each stays below 32,768.
 *
 * Two sums share a number, which keeps it in the range that engines add fastest.
 */
function sumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.byteLength; at += 4) {
    const four = view.getInt32(at);
    even += four & 0xff00ff;
    odd += (four >>> 8) & 0xff00ff;
  }
  return (even & 0xffff) + (even >>> 16) + (odd & 0xffff) + (odd >>> 16);
}

/** Some old packers add up signed bytes, so that each high byte counts 256 less. */
function countHighBytes(block: Uint8Array): number {
  return block.reduce(
    (count, byte, at) => count + (at < CHECKSUM_START || at >= CHECKSUM_END ? byte >>> 7 : 0),
    0,
  );
}

/** Returns the number in a field, 0 if it is empty, null if it is invalid. */
function parseNumber(block: Uint8Array, start: number, end: number): number | null {
  const first = block[start] ?? 0;
  return (first & 0x80) !== 0
    ? parseBase256(block.subarray(start, end))
    : parseOctal(block, start, end);
}

/** Parses a number that is too large for the octal digits; above 2^53 it is rounded. */
function parseBase256([first = 0, ...rest]: Uint8Array): number {
  const isNegative = (first & 0x40) !== 0;
  const top = (first & 0x7f) - (isNegative ? 0x80 : 0);
  return rest.reduce((value, byte) => value * 256 + byte, top);
}

function parseOctal(block: Uint8Array, start: number, end: number): number | null {
  let at = start;
  while (at < end && block[at] === SPACE) {
    at += 1;
  }
  let value = 0;
  for (; at < end; at += 1) {
    const byte = block[at] ?? 0;
    if (byte === 0 || byte === SPACE) {
      break;
    }
    if (byte < 0x30 || byte > 0x37) {
      return null;
    }
    value = value * 8 + byte - 0x30;
  }
  return value;
}
