import type { MountLimits, ProgressEvent } from "../protocol/mount-report.ts";
import type { FilesReply } from "../protocol/source-kinds.ts";
import type { BlobReaders } from "./random-access.ts";
import type { Tree } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/**
 * Lets other tasks run; every loop over a source awaits it between entries.
 *
 * Reports the progress of the listing or the unpacking, and rejects if the mount is abandoned.
 */
export type Checkpoint = (
  loaded: number,
  total?: number,
  phase?: "index" | "unpack",
) => Promise<void>;

/**
 * Opens the way to the files of one tree that stay on the page.
 *
 * `hear` gets each reply, null once the page has released the files, and "unreadable" for a message
 * that may have been a reply.
 */
export type FilesOpener = (
  server: number,
  hear: (reply: FilesReply | null | "unreadable") => void,
) => FilesOfPage;

export interface FilesOfPage {
  ask(indices: readonly number[]): void;
  close(): void;
}

/**
 * Returns the read-only tree of a folder of this machine, which each call sees in its present state.
 *
 * Throws `SourceUnreadable` if the folder does not exist.
 */
export type HostDirectoryOpener = (
  path: string,
  limits: MountLimits,
  skip: readonly string[],
) => Tree;

/** Decompresses one stream in pieces of a bounded size. */
export interface Decompressor {
  /**
   * Takes the next compressed bytes; call it again when `needsInput` is true.
   *
   * Throws if the bytes are broken.
   */
  push(compressed: Uint8Array): void;
  /** Returns the next inflated bytes, at most `maxBytes`; empty only if `needsInput` is true. */
  pull(maxBytes: number): Uint8Array;
  readonly needsInput: boolean;
  /** True if the stream may end here. */
  readonly isComplete: boolean;
  /** Releases its memory; call it after a throw too. */
  close(): void;
}

export type DecompressorFormat = "gzip" | "bzip2" | "xz";

/** Inflates at once: a call that reads a file of an archive cannot wait. */
export interface Zlib {
  /**
   * Fills `bytes` with the content of a raw deflate stream, and returns the CRC-32 of that.
   *
   * Throws if the stream is broken or cut short, or does not hold exactly so many bytes; ignores
   * what follows it. The time is bounded by the number of bytes.
   */
  inflate(compressed: Uint8Array, bytes: Uint8Array): number;
  /** Returns the CRC-32 of the bytes behind those of `before`; 0 is that of no bytes. */
  crc32(before: number, bytes: Uint8Array): number;
  openGzip(): Decompressor;
}

/** The place that the worker runs in, as a source uses it. */
export interface SourceHost extends BlobReaders {
  /** More bytes of unknown number than these are kept in Blobs; see `GrowingBuffer`. */
  readonly maxBufferedBytes: number;
  /** Makes a Blob of the page's ready for `readBlob`; missing where each is. */
  readonly prepareBlob?: (blob: Blob) => Promise<void>;
  readonly openDirectory?: HostDirectoryOpener;
}

export interface MountContext {
  readonly host: SourceHost;
  readonly openFiles: FilesOpener;
  readonly checkpoint: Checkpoint;
  /** Reports the progress of a download or an unpacking to the page. */
  readonly report: (event: ProgressEvent) => void;
  /** Aborted when the caller abandons the mount. */
  readonly signal: AbortSignal;
  /** Returns what inflates the files of an archive; the first of them asks. */
  readonly zlib: () => Zlib;
  readonly openDecompressor: (format: DecompressorFormat) => Decompressor;
}

export interface SourceContext extends MountContext {
  readonly builder: TreeBuilder;
}

/** Entries of an archive up to this size may have any compression ratio. */
export const RATIO_EXEMPT_BYTES = 1024 * 1024;

/** Entries between two checkpoints: some milliseconds of work. */
export const CHECKPOINT_ENTRIES = 2048;
