/** A tree with the report on its source's entries, whose paths and targets may be of any length. */
import type {
  ConvertedEntry,
  MountReport,
  RenamedEntry,
  SkippedEntry,
} from "../protocol/mount-report.ts";
import type { DeferredDirectory, DirectoryEntry } from "./tree.ts";

/** A whole tree, with the report on the source's entries. */
export interface Tree extends Omit<MountReport, "path" | "elapsedMs"> {
  readonly root: DirectoryEntry | DeferredDirectory;
}

const MAX_CHARACTERS = 8192;
/** Characters of all paths together, after which each path gets few. */
const PLENTY_CHARACTERS = 16 * 1024 * 1024;
const FEW_CHARACTERS = 256;

/** Cuts paths that are longer than any tree can have, so that it stays small. */
export class TreeReport {
  origin: string | null = null;
  readonly skipped: SkippedEntry[] = [];
  readonly renamed: RenamedEntry[] = [];
  readonly converted: ConvertedEntry[] = [];
  #characters = 0;

  skip(path: string, reason: string): void {
    this.skipped.push({ path: this.show(path), reason });
  }

  rename(from: string, to: string, reason: string): void {
    this.renamed.push({ from: this.show(from), to: this.show(to), reason });
  }

  convert(path: string, reason: string): void {
    this.converted.push({ path: this.show(path), reason: this.show(reason) });
  }

  /** Returns the path, or its start and an ellipsis if it is too long. */
  show(path: string): string {
    const limit = this.#characters < PLENTY_CHARACTERS ? MAX_CHARACTERS : FEW_CHARACTERS;
    this.#characters += Math.min(path.length, limit);
    return path.length > limit ? `${copy(path.slice(0, limit))}…` : path;
  }
}

/** Returns a tree that is listed on demand, so that its report has no counts. */
export function unlistedTree(root: DeferredDirectory): Tree {
  return {
    root,
    files: null,
    directories: null,
    symlinks: null,
    bytes: null,
    ...new TreeReport(),
  };
}

/** Copies a slice, which would otherwise keep the whole text in memory. */
function copy(slice: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(slice));
}
