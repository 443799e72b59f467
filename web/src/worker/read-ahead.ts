/** Reads more of a file than was wanted, if it is read in sequence. */
import type { FileContent } from "../sources/tree.ts";

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

  /** Forgets what was read, which may have changed since. */
  forget(): void {
    this.#window = null;
  }

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
