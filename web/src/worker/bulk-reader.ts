/** Reads many files at once, for a search: their bytes one after the other in one buffer. */
import type { BlobAccess, Piece, Span } from "../sources/random-access.ts";
import type { FileContent, FileEntry } from "../sources/tree.ts";
import { type ByteCache, CACHE_CEILING_BYTES } from "./byte-cache.ts";
import type { CallView } from "./call-view.ts";

/** Bytes of one archive that are read ahead for one buffer. */
export const MAX_READ_AHEAD_BYTES = 16 * 1024 * 1024;
/** An archive that the cache holds beside as many bytes of inflated files. */
export const MAX_KEPT_ARCHIVE_BYTES = CACHE_CEILING_BYTES / 2;
/** To read so many bytes that are not wanted takes about as long as another read. */
const MAX_GAP_BYTES = 256 * 1024;
/** An archive is read as a whole if this part of it is wanted. */
const WANTED_PART = 1 / 4;

/** A file, and what returns its bytes; `read` throws if they cannot be read. */
export interface WholeFile {
  readonly file: FileEntry;
  readonly read: () => Uint8Array;
}

export interface ManyFiles {
  /** The sizes of the first files, by spaces; -1 for one that has to be read by itself. */
  readonly sizes: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads many files with few reads of the Blobs that they lie in; one call has one.
 *
 * It reports no error: a file that cannot be read is left to the caller, who may never need it.
 */
export class BulkReader {
  readonly #cache: ByteCache;
  readonly #expectedBytes = new Map<BlobAccess, number>();
  /** The keys in the cache of what only the present call may use. */
  readonly #callKeys = new Map<BlobAccess, object>();
  /** Blobs that were read before the present run of the call. */
  readonly #wholes = new Map<BlobAccess, Uint8Array>();
  /** Used again by each read of a call: the system clears new memory, which takes as long as the copy. */
  #buffer = new Uint8Array();

  constructor(cache: ByteCache) {
    this.#cache = cache;
  }

  expect({ content }: FileEntry): void {
    const place = placeOf(content);
    if (place !== null) {
      const { access, span } = place;
      const before = this.#expectedBytes.get(access) ?? 0;
      this.#expectedBytes.set(access, before + span.end - span.start);
    }
  }

  /**
   * Has the view read all of the Blobs that the call reads much of, while no run of it waits.
   *
   * Only where that is faster than to read them in the call, and as many as the cache would hold.
   */
  readExpected(view: CallView): void {
    let totalBytes = 0;
    for (const [access, expectedBytes] of this.#expectedBytes) {
      const { sizeBytes, readWhole } = access;
      const isMuch = expectedBytes >= sizeBytes * WANTED_PART;
      if (readWhole !== undefined && isMuch && totalBytes + sizeBytes <= MAX_KEPT_ARCHIVE_BYTES) {
        totalBytes += sizeBytes;
        // Each file of a Blob that cannot be read is read by itself, and meets the error.
        const bytes = orNull(() => view.readWhole(access, readWhole));
        if (bytes !== null) {
          this.#wholes.set(access, bytes);
        }
      }
    }
  }

  /**
   * Reads files, from the first, as many as `maxBytes` hold.
   *
   * Null is a file that has to be read by itself; so has one that is larger than `maxBytes`. The
   * bytes are valid until the next read.
   */
  read(files: readonly (WholeFile | null)[], maxBytes: number): ManyFiles {
    const chosen: (WholeFile | null)[] = [];
    let totalBytes = 0;
    for (const each of files) {
      const fits = each !== null && each.file.sizeBytes <= maxBytes;
      totalBytes += fits ? each.file.sizeBytes : 0;
      if (totalBytes > maxBytes) {
        totalBytes -= each?.file.sizeBytes ?? 0;
        break;
      }
      chosen.push(fits ? each : null);
    }
    const lenders = this.#lendPieces(chosen);
    try {
      if (this.#buffer.byteLength < totalBytes) {
        this.#buffer = new Uint8Array(totalBytes);
      }
      return joined(chosen, this.#buffer.subarray(0, totalBytes));
    } finally {
      for (const access of lenders) {
        access.lend([]);
      }
    }
  }

  /** Reads ahead what the files lie in; returns the Blobs that have pieces now. */
  #lendPieces(files: readonly (WholeFile | null)[]): Iterable<BlobAccess> {
    const spans = new Map<BlobAccess, Span[]>();
    for (const each of files) {
      const place = each === null ? null : placeOf(each.file.content);
      if (each !== null && place !== null && !this.#cache.has(each.file.content)) {
        const others = spans.get(place.access) ?? [];
        others.push(place.span);
        spans.set(place.access, others);
      }
    }
    for (const [access, wanted] of spans) {
      try {
        access.lend(this.#piecesOf(access, wanted));
      } catch {
        // Each file is read by itself, and meets the error if it lies where the error is.
        access.lend([]);
      }
    }
    return spans.keys();
  }

  #keyOf(access: BlobAccess): object {
    const key = this.#callKeys.get(access) ?? (access.isLasting ? access : {});
    this.#callKeys.set(access, key);
    return key;
  }

  #piecesOf(access: BlobAccess, wanted: readonly Span[]): Piece[] {
    const whole = this.#wholes.get(access);
    if (whole !== undefined) {
      return [{ start: 0, bytes: whole }];
    }
    const { sizeBytes } = access;
    const expectedBytes = this.#expectedBytes.get(access) ?? 0;
    if (sizeBytes <= MAX_KEPT_ARCHIVE_BYTES && expectedBytes >= sizeBytes * WANTED_PART) {
      const readAll = () => access.read(0, sizeBytes);
      return [{ start: 0, bytes: this.#cache.get(this.#keyOf(access), readAll) }];
    }
    return joinedSpans(wanted, sizeBytes).map(({ start, end }) => ({
      start,
      bytes: access.read(start, end),
    }));
  }
}

/** Returns few spans that hold the given ones, in ascending order. */
function joinedSpans(wanted: readonly Span[], sizeBytes: number): Span[] {
  const spans: Span[] = [];
  let totalBytes = 0;
  for (const { start, end } of [...wanted].sort((one, other) => one.start - other.start)) {
    const last = spans.at(-1);
    const stop = Math.min(end, sizeBytes);
    const isNear = last !== undefined && start - last.end <= MAX_GAP_BYTES;
    const from = isNear ? last.end : start;
    totalBytes += Math.max(0, stop - from);
    if (totalBytes > MAX_READ_AHEAD_BYTES) {
      break;
    }
    if (isNear) {
      spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, stop) };
    } else {
      spans.push({ start, end: stop });
    }
  }
  return spans;
}

/** Writes files one after the other into a buffer. */
function joined(files: readonly (WholeFile | null)[], bytes: Uint8Array): ManyFiles {
  const sizes: number[] = [];
  let filled = 0;
  for (const each of files) {
    const found = each === null ? null : orNull(each.read);
    // A folder's file may have grown meanwhile.
    if (found === null || filled + found.byteLength > bytes.byteLength) {
      sizes.push(-1);
      continue;
    }
    bytes.set(found, filled);
    filled += found.byteLength;
    sizes.push(found.byteLength);
  }
  return { sizes: sizes.join(" "), bytes: bytes.subarray(0, filled) };
}

function orNull(read: () => Uint8Array | null): Uint8Array | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function placeOf(content: FileContent) {
  return ("place" in content ? content.place : undefined) ?? null;
}
