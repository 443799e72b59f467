/** A prefix code of deflate, as a table: whatever bits come, one look tells the symbol. */

const MAX_BITS = 15;
/** Most files' codes have no more, and need no larger table. */
const USUAL_BITS = 10;

/** Looks a symbol up by the bits that spell it, the first one lowest, whatever stands above them. */
export class PrefixCode {
  /** A symbol times 16, plus how many bits spell it; 0 where no symbol is spelled so. */
  entries = new Uint16Array(1 << USUAL_BITS);
  /** How many of the bits count. */
  mask = 0;
  readonly #counts = new Uint16Array(MAX_BITS + 1);
  readonly #nextCodes = new Uint16Array(MAX_BITS + 1);

  /**
   * Makes the code of which each symbol is spelled with so many bits, 0 for a symbol that is
   * missing; returns whether there is such a code.
   *
   * One that leaves bits over that spell nothing is none, but where `isComplete` is false and all
   * its symbols have one bit.
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

  /** Counts how many symbols have how many bits, and returns the most bits. */
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
    // Codes are written with their first bit highest, and read with it lowest.
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
