/** Inflated bytes that are kept for the next piece of the same file. */
export const CACHE_CEILING_BYTES = 64 * 1024 * 1024;

/**
 * Keeps what was used last, up to a ceiling in bytes.
 *
 * The latest value stays even where it alone is over the ceiling: a file is read in pieces, and
 * without it each piece would cost inflating the whole.
 */
export class ByteCache {
  readonly #ceilingBytes: number;
  // A Map keeps the order of insertion, so its first key is what was used longest ago.
  readonly #kept = new Map<object, Uint8Array>();
  #bytes = 0;

  constructor(ceilingBytes: number = CACHE_CEILING_BYTES) {
    this.#ceilingBytes = ceilingBytes;
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns what is kept for a key, or makes and keeps it. */
  get(key: object, make: () => Uint8Array): Uint8Array {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const made = make();
    this.#kept.set(key, made);
    this.#bytes += made.byteLength;
    for (const [oldest, bytes] of this.#kept) {
      if (this.#bytes <= this.#ceilingBytes || oldest === key) {
        break;
      }
      this.#kept.delete(oldest);
      this.#bytes -= bytes.byteLength;
    }
    return made;
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
