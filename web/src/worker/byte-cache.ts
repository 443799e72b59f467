/** Inflated bytes that the next range of the same file needs. */
export const CACHE_CEILING_BYTES = 64 * 1024 * 1024;

/**
 * Keeps the values that were used last, up to a ceiling in bytes.
 *
 * The latest value stays even if it alone exceeds the ceiling: a file is read range by range, and
 * without the value each range would inflate the whole file again.
 */
export class ByteCache {
  readonly #ceilingBytes: number;
  // A Map keeps the order of insertion, so its first key is the least recently used.
  readonly #kept = new Map<object, Uint8Array>();
  #bytes = 0;

  constructor(ceilingBytes: number = CACHE_CEILING_BYTES) {
    this.#ceilingBytes = ceilingBytes;
  }

  /** The number of bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  has(key: object): boolean {
    return this.#kept.has(key);
  }

  /** Returns the value that is kept for a key, or makes and keeps it. */
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
