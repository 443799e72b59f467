/** One header of a tar archive: 512 bytes of fields of a fixed place. */

export const BLOCK_BYTES = 512;

/** What a header says, as its bytes spell it. */
export interface TarHeader {
  /** One character; NUL, as the oldest writers have it, for a file. */
  readonly type: string;
  readonly path: Uint8Array;
  readonly target: Uint8Array;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const CHECKSUM_START = 148;
const CHECKSUM_END = 156;
const SPACE = 0x20;
/** What the checksum's own field counts as: eight spaces. */
const SPACES_SUM = SPACE * (CHECKSUM_END - CHECKSUM_START);
const MAGIC = new TextEncoder().encode("ustar");
const POSIX_MAGIC_END = 0;

/**
 * Tells whether the start of a file is that of a tar archive: a header, or two blocks of zeros.
 *
 * A header that says "ustar" counts with a wrong checksum too: then the archive is a broken one.
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

/** Tells whether a block marks the end of the archive. */
export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Returns what a header says; null where it is none, or says what cannot be. */
export function parseHeader(block: Uint8Array): TarHeader | null {
  const sizeBytes = parseNumber(block, 124, 136);
  if (!isChecksumRight(block) || !isSize(sizeBytes)) {
    return null;
  }
  const name = textField(block, 0, 100);
  // GNU's older format has times where POSIX has the first part of a long path.
  const isPosix = hasMagic(block) && block[257 + MAGIC.byteLength] === POSIX_MAGIC_END;
  const prefix = isPosix ? textField(block, 345, 500) : new Uint8Array();
  return {
    type: String.fromCharCode(block[156] ?? 0),
    path: prefix.byteLength === 0 ? name : joined(prefix, name),
    target: textField(block, 157, 257),
    sizeBytes,
    modifiedMs: (parseNumber(block, 136, 148) ?? 0) * 1000,
  };
}

/** Tells whether a number can be that of an entry's bytes. */
export function isSize(value: number | null): value is number {
  return value !== null && Number.isSafeInteger(value) && value >= 0;
}

function textField(block: Uint8Array, start: number, end: number): Uint8Array {
  const nulAt = block.indexOf(0, start);
  return block.subarray(start, nulAt === -1 ? end : Math.min(nulAt, end));
}

function joined(prefix: Uint8Array, name: Uint8Array): Uint8Array {
  const path = new Uint8Array(prefix.byteLength + 1 + name.byteLength);
  path.set(prefix);
  path[prefix.byteLength] = 0x2f;
  path.set(name, prefix.byteLength + 1);
  return path;
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
 * Adds up bytes, four at a time, in four sums of 16 bits: a block's stay below 32,768 each.
 *
 * Two of them share a number, so that it stays one that the engine adds up fastest.
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

/** Some old writers took bytes for signed ones, so each of these counted 256 less. */
function countHighBytes(block: Uint8Array): number {
  return block.reduce(
    (count, byte, at) => count + (at < CHECKSUM_START || at >= CHECKSUM_END ? byte >>> 7 : 0),
    0,
  );
}

/** Returns a number, 0 for an empty field and null for what is none. */
function parseNumber(block: Uint8Array, start: number, end: number): number | null {
  const first = block[start] ?? 0;
  return (first & 0x80) !== 0
    ? parseBase256(block.subarray(start, end))
    : parseOctal(block, start, end);
}

/** Numbers that need more than the octal digits have room for; beyond 2^53 they are rounded. */
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
