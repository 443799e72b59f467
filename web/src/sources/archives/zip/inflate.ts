/**
 * Inflates deflated bytes synchronously into memory of the declared size.
 *
 * Libraries grow and copy their output again and again, which leaves several times the declared
 * size for the browser to collect. fflate's `inflateSync` with `out` copies nothing, but it drops
 * what is past `out` and goes on to the end of the input, so that an archive which declares too
 * little decides the time: a megabyte of deflated zeros took 6 s, and takes 16 ms here. The platform's
 * `DecompressionStream` is asynchronous: a call would run again after each wait, and all files that
 * it reads would have to stay in memory until its last run.
 */
import { PrefixCode } from "./prefix-code.ts";

const STORED_BLOCK = 0;
const FIXED_BLOCK = 1;
const DYNAMIC_BLOCK = 2;

const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;
const MAX_LENGTH_CODES = 286;
const MAX_DISTANCE_CODES = 30;
const MAX_CODE_BITS = 15;
/** From this length on the engine's own copy is faster than a loop. */
const LONG_COPY_BYTES = 32;
const LENGTH_EXTRA_BITS = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
];
const DISTANCE_EXTRA_BITS = Array.from({ length: MAX_DISTANCE_CODES }, (_, symbol) =>
  Math.max(0, (symbol >> 1) - 1),
);
/** The longest length has a symbol of its own, although the symbol before could express it. */
const LENGTH_BITS = Uint8Array.of(...LENGTH_EXTRA_BITS, 0);
const LENGTH_BASES = Uint16Array.of(...basesOf(LENGTH_EXTRA_BITS, 3), 258);
const DISTANCE_BITS = Uint8Array.from(DISTANCE_EXTRA_BITS);
const DISTANCE_BASES = Uint16Array.from(basesOf(DISTANCE_EXTRA_BITS, 1));

/** The order of the bit lengths of the code that encodes the other bit lengths. */
const LENGTH_CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const REPEAT_LAST = 16;
const REPEAT_ZERO = 17;
const REPEAT_ZERO_LONG = 18;

/**
 * Fills `bytes` with the inflated content; ignores bytes after the end of the compressed form.
 *
 * Throws if the compressed form is broken or cut short, or if its content does not have exactly the
 * length of `bytes`. The time is bounded by that length.
 */
export function inflateInto(compressed: Uint8Array, bytes: Uint8Array): void {
  const inflater = new Inflater(compressed, bytes, codes);
  try {
    inflater.run();
  } catch (error) {
    // After the end the inflater reads zeros, which may look like a broken form.
    throw inflater.isOver ? endsTooEarly() : error;
  }
  if (inflater.isOver) {
    throw endsTooEarly();
  }
  if (inflater.filled < bytes.byteLength) {
    throw new Error("the content is smaller than declared");
  }
}

/** Kept from file to file: to make their tables anew takes as long as a small file. */
interface Codes {
  readonly lengths: PrefixCode;
  readonly distances: PrefixCode;
  fixed: readonly [PrefixCode, PrefixCode] | null;
}

const codes: Codes = { lengths: new PrefixCode(), distances: new PrefixCode(), fixed: null };

class Inflater {
  readonly #compressed: Uint8Array;
  readonly #bytes: Uint8Array;
  /** The next compressed byte; after the last one zeros are read, which `isOver` detects. */
  #at = 0;
  /** Bits that were read but not used yet, the next one lowest. */
  #held = 0;
  #heldBits = 0;
  #filled = 0;
  readonly #codes: Codes;

  constructor(compressed: Uint8Array, bytes: Uint8Array, codes: Codes) {
    this.#codes = codes;
    this.#compressed = compressed;
    this.#bytes = bytes;
  }

  /** The number of inflated bytes. */
  get filled(): number {
    return this.#filled;
  }

  /** True if more bits were used than the compressed form has. */
  get isOver(): boolean {
    return this.#at - (this.#heldBits >> 3) > this.#compressed.byteLength;
  }

  run(): void {
    let isLast = false;
    while (!isLast) {
      isLast = this.#takeBits(1) === 1;
      switch (this.#takeBits(2)) {
        case STORED_BLOCK:
          this.#copyStored();
          break;
        case FIXED_BLOCK:
          this.#codes.fixed ??= fixedCodes();
          this.#inflateBlock(...this.#codes.fixed);
          break;
        case DYNAMIC_BLOCK:
          this.#takeCodes();
          this.#inflateBlock(this.#codes.lengths, this.#codes.distances);
          break;
        default:
          throw broken();
      }
    }
  }

  #copyStored(): void {
    // Whole unused bytes go back; the rest of a partly used byte is padding.
    this.#at -= this.#heldBits >> 3;
    this.#held = 0;
    this.#heldBits = 0;
    const start = this.#at + 4;
    const [low = 0, high = 0, lowCheck = 0, highCheck = 0] = this.#compressed.subarray(
      this.#at,
      start,
    );
    const length = low | (high << 8);
    if (start + length > this.#compressed.byteLength) {
      throw endsTooEarly();
    }
    if ((length ^ 0xffff) !== (lowCheck | (highCheck << 8))) {
      throw broken();
    }
    this.#requireRoom(length);
    this.#bytes.set(this.#compressed.subarray(start, start + length), this.#filled);
    this.#filled += length;
    this.#at = start + length;
  }

  /** Reads the codes of the next block: their bit lengths, which are encoded themselves. */
  #takeCodes(): void {
    const lengthCount = this.#takeBits(5) + FIRST_LENGTH;
    const distanceCount = this.#takeBits(5) + 1;
    const spellingCount = this.#takeBits(4) + 4;
    if (lengthCount > MAX_LENGTH_CODES || distanceCount > MAX_DISTANCE_CODES) {
      throw broken();
    }
    const spelling = new Uint8Array(LENGTH_CODE_ORDER.length);
    for (const symbol of LENGTH_CODE_ORDER.slice(0, spellingCount)) {
      spelling[symbol] = this.#takeBits(3);
    }
    requireCode(this.#codes.lengths.assign(spelling, true));
    const bitLengths = this.#takeBitLengths(lengthCount + distanceCount);
    requireCode(bitLengths[END_OF_BLOCK] !== 0);
    requireCode(this.#codes.lengths.assign(bitLengths.subarray(0, lengthCount), false));
    requireCode(this.#codes.distances.assign(bitLengths.subarray(lengthCount), false));
  }

  #takeBitLengths(count: number): Uint8Array {
    const bitLengths = new Uint8Array(count);
    for (let index = 0; index < count; ) {
      const symbol = this.#takeSymbol(this.#codes.lengths);
      if (symbol < REPEAT_LAST) {
        bitLengths[index] = symbol;
        index += 1;
        continue;
      }
      requireCode(symbol !== REPEAT_LAST || index > 0);
      const value = symbol === REPEAT_LAST ? (bitLengths[index - 1] ?? 0) : 0;
      const times = this.#takeTimes(symbol);
      requireCode(index + times <= count);
      bitLengths.fill(value, index, index + times);
      index += times;
    }
    return bitLengths;
  }

  #takeTimes(symbol: number): number {
    switch (symbol) {
      case REPEAT_ZERO:
        return this.#takeBits(3) + 3;
      case REPEAT_ZERO_LONG:
        return this.#takeBits(7) + 11;
      default:
        return this.#takeBits(2) + 3;
    }
  }

  /** Inflates a block of codes; nearly all time is spent here, so its state is in local variables. */
  #inflateBlock(lengths: PrefixCode, distances: PrefixCode): void {
    let symbol = this.#inflateLiterals(lengths);
    while (symbol > END_OF_BLOCK) {
      this.#repeat(symbol - FIRST_LENGTH, distances);
      symbol = this.#inflateLiterals(lengths);
    }
  }

  /** Writes literal bytes, and returns the symbol that follows them. */
  #inflateLiterals({ entries, mask }: PrefixCode): number {
    const bytes = this.#bytes;
    const compressed = this.#compressed;
    const lastPair = compressed.byteLength - 2;
    let filled = this.#filled;
    let held = this.#held;
    let heldBits = this.#heldBits;
    let at = this.#at;
    for (;;) {
      if (heldBits < MAX_CODE_BITS) {
        // Two more bytes fit; near the end, zeros are enough to take the last code.
        const isEnd = at > lastPair;
        held |= (compressed[at] ?? 0) << heldBits;
        held |= (compressed[at + 1] ?? 0) << (heldBits + 8);
        heldBits += 16;
        at += 2;
        if (isEnd && at - (heldBits >> 3) > compressed.byteLength) {
          throw endsTooEarly();
        }
      }
      const entry = entries[held & mask] ?? 0;
      held >>>= entry & 15;
      heldBits -= entry & 15;
      const symbol = entry >> 4;
      if (entry !== 0 && symbol < END_OF_BLOCK && filled < bytes.byteLength) {
        bytes[filled] = symbol;
        filled += 1;
        continue;
      }
      this.#filled = filled;
      this.#held = held;
      this.#heldBits = heldBits;
      this.#at = at;
      requireCode(entry !== 0);
      if (symbol < END_OF_BLOCK) {
        throw larger();
      }
      return symbol;
    }
  }

  #repeat(lengthSymbol: number, distances: PrefixCode): void {
    const length =
      (LENGTH_BASES[lengthSymbol] ?? 0) + this.#takeBits(LENGTH_BITS[lengthSymbol] ?? 0);
    const symbol = this.#takeSymbol(distances);
    const distance = (DISTANCE_BASES[symbol] ?? 0) + this.#takeBits(DISTANCE_BITS[symbol] ?? 0);
    if (
      distance > this.#filled ||
      lengthSymbol >= LENGTH_BASES.length ||
      symbol >= MAX_DISTANCE_CODES
    ) {
      throw broken();
    }
    this.#requireRoom(length);
    copyBack(this.#bytes, this.#filled, distance, length);
    this.#filled += length;
  }

  #requireRoom(length: number): void {
    if (this.#filled + length > this.#bytes.byteLength) {
      throw larger();
    }
  }

  #takeSymbol(code: PrefixCode): number {
    if (this.#heldBits < MAX_CODE_BITS) {
      this.#hold();
    }
    const entry = code.entries[this.#held & code.mask] ?? 0;
    requireCode(entry !== 0);
    this.#held >>>= entry & 15;
    this.#heldBits -= entry & 15;
    return entry >> 4;
  }

  /** Uses up to 16 bits, the first one lowest. */
  #takeBits(count: number): number {
    if (this.#heldBits < count) {
      this.#hold();
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#heldBits -= count;
    return value;
  }

  /** Reads until at least 25 bits are held. */
  #hold(): void {
    const compressed = this.#compressed;
    if (this.#at > compressed.byteLength && this.isOver) {
      throw endsTooEarly();
    }
    let held = this.#held;
    let heldBits = this.#heldBits;
    let at = this.#at;
    while (heldBits <= 24) {
      const byte = at < compressed.byteLength ? (compressed[at] ?? 0) : 0;
      held |= byte << heldBits;
      heldBits += 8;
      at += 1;
    }
    this.#held = held;
    this.#heldBits = heldBits;
    this.#at = at;
  }
}

/** Copies bytes from `distance` back, which may include bytes that this copy writes. */
function copyBack(bytes: Uint8Array, start: number, distance: number, length: number): void {
  const end = start + length;
  if (distance === 1) {
    bytes.fill(bytes[start - 1] ?? 0, start, end);
  } else if (distance >= length && length >= LONG_COPY_BYTES) {
    bytes.copyWithin(start, start - distance, end - distance);
  } else {
    for (let at = start; at < end; at += 1) {
      bytes[at] = bytes[at - distance] ?? 0;
    }
  }
}

function fixedCodes(): [PrefixCode, PrefixCode] {
  const bitLengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  const lengths = new PrefixCode();
  const distances = new PrefixCode();
  lengths.assign(bitLengths, true);
  distances.assign(new Uint8Array(32).fill(5), true);
  return [lengths, distances];
}

function basesOf(extraBits: readonly number[], first: number): number[] {
  let base = first;
  return extraBits.map((bits) => {
    const here = base;
    base += 1 << bits;
    return here;
  });
}

function requireCode(isCode: boolean): void {
  if (!isCode) {
    throw broken();
  }
}

function broken(): Error {
  return new Error("the compressed form is broken");
}

function endsTooEarly(): Error {
  return new Error("the compressed form ends too early");
}

function larger(): Error {
  return new Error("the content is larger than declared");
}
