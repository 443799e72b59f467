import type { BlobReader } from "./random-access.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/**
 * Gives the world a say between entries; to be awaited in every loop over a source.
 *
 * Reports how far the listing has come, and throws where nobody waits for it any more.
 */
export type Checkpoint = (loaded: number, total: number) => Promise<void>;

/** What a source is given to list itself. */
export interface SourceContext {
  readonly builder: TreeBuilder;
  readonly readBlob: BlobReader;
  readonly checkpoint: Checkpoint;
}

/** Entries between two checkpoints: some milliseconds of work. */
export const CHECKPOINT_ENTRIES = 2048;
