import { TreeglassError } from "../protocol/errors.ts";

/** Bytes of a known number that can be read at any place, at once, without the rest. */
export interface RandomAccess {
  readonly sizeBytes: number;
  /** Returns the bytes from `start` up to `end`; throws where they cannot be had. */
  read(start: number, end: number): Uint8Array;
}

/**
 * Reads a piece of a Blob while the caller waits.
 *
 * The interpreter's filesystem is synchronous, so a promise is of no use; only a worker has the
 * means, and what runs elsewhere brings its own.
 */
export type BlobReader = (blob: Blob, start: number, end: number) => Uint8Array;

/** Returns access to bytes at hand, without copying them. */
export function bytesAccess(bytes: Uint8Array): RandomAccess {
  return { sizeBytes: bytes.byteLength, read: (start, end) => bytes.subarray(start, end) };
}

/** Returns access to a Blob, of which only what is read is ever loaded. */
export function blobAccess(blob: Blob, readBlob: BlobReader): RandomAccess {
  return {
    sizeBytes: blob.size,
    read(start, end) {
      try {
        return readBlob(blob, start, Math.min(end, blob.size));
      } catch (cause) {
        throw new TreeglassError(
          "SourceUnreadable",
          "The archive's file can no longer be read; it was changed or moved, so choose it again.",
          { cause },
        );
      }
    },
  };
}

/** Read at once where what is wanted lies closely. */
const WINDOW_BYTES = 1024 * 1024;
/** Read at once where much is passed over between what is wanted. */
const SPARSE_WINDOW_BYTES = 64 * 1024;

/** Reads small pieces in ascending order with few reads of the source. */
export class WindowReader {
  readonly #access: RandomAccess;
  readonly #end: number;
  #window: Uint8Array = new Uint8Array();
  #windowStart: number;

  /** Reads from `start` on, and nothing from `end` on. */
  constructor(access: RandomAccess, start = 0, end = access.sizeBytes) {
    this.#access = access;
    this.#windowStart = start;
    this.#end = end;
  }

  /** Returns so many bytes; fewer where the end is before. They are valid until the next call. */
  read(start: number, byteCount: number): Uint8Array {
    const end = Math.min(start + byteCount, this.#end);
    if (start >= end) {
      return new Uint8Array();
    }
    const windowEnd = this.#windowStart + this.#window.byteLength;
    if (start < this.#windowStart || end > windowEnd) {
      const isFar = start - windowEnd > WINDOW_BYTES / 2;
      const aheadBytes = Math.max(byteCount, isFar ? SPARSE_WINDOW_BYTES : WINDOW_BYTES);
      this.#window = this.#access.read(start, Math.min(start + aheadBytes, this.#end));
      this.#windowStart = start;
    }
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart);
  }
}
