import type { FileContent } from "../sources/tree.ts";

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

  get bytes(): number {
    return this.#bytes;
  }

  has(key: object): boolean {
    return this.#kept.has(key);
  }

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

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}

type Ranges = Extract<FileContent, { readonly kind: "ranges" }>;

/** Bytes of a file that were read, some of them before they were wanted. */
interface Window {
  readonly content: Ranges;
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * The most that is read ahead, each time twice as much as before: whatever its size, each read of a
 * browser's file is a trip to another process.
 */
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;

/** Keeps what was read last. */
export class ReadAhead {
  #window: Window | null = null;

  /** Reads a range, and more than that if it follows the one before. */
  read(content: Ranges, sizeBytes: number, start: number, end: number): Uint8Array {
    const last = this.#window?.content === content ? this.#window : null;
    const known = last?.bytes.subarray(Math.max(0, start - last.start), end - last.start);
    if (last !== null && start >= last.start && known?.byteLength === end - start) {
      return known;
    }
    const goesOn = last !== null && start > last.start && start <= last.start + last.bytes.length;
    const aheadBytes = goesOn ? Math.min(last.bytes.length * 2, MAX_WINDOW_BYTES) : 0;
    const stop = Math.min(Math.max(end, start + aheadBytes), sizeBytes);
    const bytes = content.readRange(start, stop);
    this.#window = { content, start, bytes };
    return bytes.subarray(0, end - start);
  }
}
