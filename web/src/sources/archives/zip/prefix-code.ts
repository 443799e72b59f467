/** A prefix code of deflate as a table: one lookup by the next bits gives the symbol. */

const MAX_BITS = 15;
/** Most files' codes have no more bits, and need no larger table. */
const USUAL_BITS = 10;

/** Finds a symbol by its bits, the first one lowest; bits above the code do not matter. */
export class PrefixCode {
  /** A symbol times 16 plus its number of bits; 0 for bits that encode no symbol. */
  entries = new Uint16Array(1 << USUAL_BITS);
  /** Masks the bits that the table is indexed by. */
  mask = 0;
  readonly #counts = new Uint16Array(MAX_BITS + 1);
  readonly #nextCodes = new Uint16Array(MAX_BITS + 1);

  /**
   * Builds the code from the number of bits of each symbol, 0 for an unused symbol; returns
   * whether the code is valid.
   *
   * An incomplete code is invalid, unless `isComplete` is false and all its symbols have one bit.
   */
  assign(bitLengths: Uint8Array, isComplete: boolean): boolean {
    const maxBits = this.#count(bitLengths);
    let left = 1;
    let code = 0;
    for (let bits = 1; bits <= MAX_BITS; bits += 1) {
      code = (code + (bits === 1 ? 0 : (this.#counts[bits - 1] ?? 0))) << 1;
      this.#nextCodes[bits] = code;
      left = left * 2 - (this.#counts[bits] ?? 0);
      if (left < 0) {
        return false;
      }
    }
    if (left > 0 && (isComplete || maxBits > 1)) {
      return false;
    }
    this.mask = (1 << maxBits) - 1;
    if (this.entries.length <= this.mask) {
      this.entries = new Uint16Array(1 << MAX_BITS);
    }
    this.entries.fill(0, 0, this.mask + 1);
    for (let symbol = 0; symbol < bitLengths.byteLength; symbol += 1) {
      const bits = bitLengths[symbol] ?? 0;
      if (bits > 0) {
        this.#enter(symbol, bits);
      }
    }
    return true;
  }

  /** Counts the symbols of each number of bits, and returns the largest number. */
  #count(bitLengths: Uint8Array): number {
    this.#counts.fill(0);
    let maxBits = 0;
    for (const bits of bitLengths) {
      if (bits > 0) {
        this.#counts[bits] = (this.#counts[bits] ?? 0) + 1;
        maxBits = Math.max(maxBits, bits);
      }
    }
    return maxBits;
  }

  #enter(symbol: number, bits: number): void {
    const code = this.#nextCodes[bits] ?? 0;
    this.#nextCodes[bits] = code + 1;
    // Codes are defined with their first bit highest, and read with it lowest.
    let reversed = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      reversed |= ((code >> bit) & 1) << (bits - 1 - bit);
    }
    const entry = (symbol << 4) | bits;
    const { entries, mask } = this;
    for (let at = reversed; at <= mask; at += 1 << bits) {
      entries[at] = entry;
    }
  }
}
