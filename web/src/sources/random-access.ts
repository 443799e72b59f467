import { TreeglassError } from "../protocol/errors.ts";

/** Bytes of a known number, any range of which is read synchronously and by itself. */
export interface RandomAccess {
  readonly sizeBytes: number;
  /** Returns the bytes from `start` up to `end`; throws if they cannot be read. */
  read(start: number, end: number): Uint8Array;
}

/**
 * Reads a range of a Blob synchronously.
 *
 * The interpreter's filesystem is synchronous and cannot await a promise. Only a browser's worker
 * has a synchronous reader; other hosts bring their own.
 */
export type BlobReader = (blob: Blob, start: number, end: number) => Uint8Array;

/** Returns access to bytes in memory, without copying them. */
export function bytesAccess(bytes: Uint8Array): RandomAccess {
  return { sizeBytes: bytes.byteLength, read: (start, end) => bytes.subarray(start, end) };
}

/** Returns access to a Blob; loads only the ranges that are read. */
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

/** The window for ranges that lie close together. */
const WINDOW_BYTES = 1024 * 1024;
/** The window for ranges that lie far apart. */
const SPARSE_WINDOW_BYTES = 64 * 1024;

/** Reads small ranges in ascending order with few reads of the source. */
export class WindowReader {
  readonly #access: RandomAccess;
  readonly #end: number;
  #window: Uint8Array = new Uint8Array();
  #windowStart: number;

  /** Reads between `start` and `end` only. */
  constructor(access: RandomAccess, start = 0, end = access.sizeBytes) {
    this.#access = access;
    this.#windowStart = start;
    this.#end = end;
  }

  /** Returns `byteCount` bytes, or fewer at the end; they are valid until the next call. */
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
