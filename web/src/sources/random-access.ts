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

/** Reads the bytes of Blobs, in the way of the place that the worker runs in. */
export interface BlobReaders {
  readonly readBlob: BlobReader;
  /**
   * Reads a whole Blob while others are read.
   *
   * In a browser, many such reads at once take a fifth of the time of one synchronous read after
   * the other. Missing on a host that has all bytes in its memory.
   */
  readonly readWholeBlob?: (blob: Blob) => Promise<Uint8Array>;
}

export function bytesAccess(bytes: Uint8Array): RandomAccess {
  return { sizeBytes: bytes.byteLength, read: (start, end) => bytes.subarray(start, end) };
}

/** Returns the bytes as something to read numbers from. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a Blob that were read before they were asked for. */
export interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * A Blob, of which only the ranges that are read are loaded.
 *
 * Each read is a trip to another process, whatever its size. A reader of many ranges reads larger
 * pieces by itself and lends them, so that the ranges in them cost no trip.
 */
export class BlobAccess implements RandomAccess {
  readonly sizeBytes: number;
  /** True if a copy of the bytes may answer later calls, too. */
  readonly isLasting: boolean;
  /** Reads all bytes while others are read; missing where that is no faster. */
  readonly readWhole: (() => Promise<Uint8Array>) | undefined;
  readonly #readNow: (start: number, end: number) => Uint8Array;
  #lent: readonly Piece[] = [];

  /** `readNow` throws, and `readWhole` rejects, if the bytes cannot be read. */
  constructor(
    sizeBytes: number,
    readNow: (start: number, end: number) => Uint8Array,
    isLasting: boolean,
    readWhole?: () => Promise<Uint8Array>,
  ) {
    this.sizeBytes = sizeBytes;
    this.isLasting = isLasting;
    this.readWhole = readWhole;
    this.#readNow = readNow;
  }

  read(start: number, end: number): Uint8Array {
    const stop = Math.min(end, this.sizeBytes);
    const piece = this.#pieceAt(start);
    return piece !== null && stop <= piece.start + piece.bytes.byteLength
      ? piece.bytes.subarray(start - piece.start, stop - piece.start)
      : this.#readNow(start, stop);
  }

  /** Takes pieces in ascending order, which stay until the next ones are lent. */
  lend(pieces: readonly Piece[]): void {
    this.#lent = pieces;
  }

  /** Returns the last piece that begins at or before a place. */
  #pieceAt(start: number): Piece | null {
    let low = 0;
    let high = this.#lent.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lent[middle]?.start ?? 0) <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return this.#lent[low - 1] ?? null;
  }
}

export function blobAccess(blob: Blob, readBlob: BlobReader): BlobAccess {
  const readNow = (start: number, end: number): Uint8Array => {
    try {
      return readBlob(blob, start, end);
    } catch (cause) {
      throw new TreeglassError(
        "SourceUnreadable",
        "The archive's file can no longer be read; it was changed or moved, so choose it again.",
        { cause },
      );
    }
  };
  return new BlobAccess(blob.size, readNow, true);
}

/** Returns access to files of a disk, which may change: no call gets what one before has read. */
export function changingBlobAccess(
  blob: Blob,
  { readBlob, readWholeBlob }: BlobReaders,
): BlobAccess {
  const readNow = (start: number, end: number) => readBlob(blob, start, end);
  const readWhole = readWholeBlob && (() => readWholeBlob(blob));
  return new BlobAccess(blob.size, readNow, false, readWhole);
}

/** Returns where the content of a file lies, if that is in a Blob. */
export function placeIn(access: RandomAccess, start: number, end: number): { place?: Place } {
  return access instanceof BlobAccess ? { place: { access, span: { start, end } } } : {};
}

export interface Place {
  readonly access: BlobAccess;
  readonly span: Span;
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
