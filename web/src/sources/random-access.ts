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
