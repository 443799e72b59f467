import type { BlobHandle } from "../protocol/messages.ts";
import type { MountLimits, ProgressEvent } from "../protocol/mount-report.ts";
import type { BlobReader } from "./random-access.ts";
import type { Tree, TreeBuilder } from "./tree-builder.ts";

/**
 * Gives the world a say between entries; to be awaited in every loop over a source.
 *
 * Reports how far the listing has come, and throws where nobody waits for it any more.
 */
export type Checkpoint = (loaded: number, total?: number) => Promise<void>;

/**
 * Returns a Blob that the page handed over, once, when it is there.
 *
 * Rejects with `BadRequest` where it could not be read.
 */
export type BlobTaker = (handle: BlobHandle) => Promise<Blob>;

/**
 * Returns the tree of a folder of this machine, read-only and as it is whenever somebody looks.
 *
 * Throws `SourceUnreadable` where there is no such folder.
 */
export type HostDirectoryOpener = (
  path: string,
  limits: MountLimits,
  skip: readonly string[],
) => Tree;

/** Inflates one compressed stream in pieces of a bounded size. */
export interface Decompressor {
  /**
   * Takes the next compressed bytes; to be called again when `needsInput`.
   *
   * Throws where they are broken.
   */
  push(compressed: Uint8Array): void;
  /** Returns the next inflated bytes, at most `maxBytes`; empty only when `needsInput`. */
  pull(maxBytes: number): Uint8Array;
  readonly needsInput: boolean;
  /** Whether the stream is at an end where it may end. */
  readonly isComplete: boolean;
  /** Frees what it holds; has to be called, also after a throw. */
  close(): void;
}

/** Compression formats that browsers have no words for, and Python's standard library has. */
export type DecompressorFormat = "bzip2" | "xz";

/** What a source needs of the place that the worker runs in. */
export interface SourceHost {
  readonly readBlob: BlobReader;
  /** More bytes of unknown number than these are kept in Blobs; see `GrowingBuffer`. */
  readonly maxBufferedBytes: number;
  /** Missing on a host without folders. */
  readonly openDirectory?: HostDirectoryOpener;
}

/** What a mount gives its source. */
export interface MountContext {
  readonly host: SourceHost;
  readonly takeBlob: BlobTaker;
  readonly checkpoint: Checkpoint;
  /** Tells the page how far a download or an unpacking has come. */
  readonly report: (event: ProgressEvent) => void;
  /** Aborted when nobody waits for the mount any more. */
  readonly signal: AbortSignal;
  readonly openDecompressor: (format: DecompressorFormat) => Decompressor;
}

/** What a source is given to list itself. */
export interface SourceContext extends MountContext {
  readonly builder: TreeBuilder;
}

/** Entries between two checkpoints: some milliseconds of work. */
export const CHECKPOINT_ENTRIES = 2048;
