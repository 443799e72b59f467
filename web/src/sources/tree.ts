/** A tree of lazy entries, and the report on what a source has spelled. */
import type {
  ConvertedEntry,
  MountReport,
  RenamedEntry,
  SkippedEntry,
} from "../protocol/mount-report.ts";
import type { Place } from "./random-access.ts";

/**
 * The place of a file's bytes, from which a call reads them.
 *
 * `bytes` are in memory; `ranges` are read piece by piece, at the same cost anywhere in the file;
 * `whole` is read in one piece, so the reader keeps it for the next range; `remote` is fetched in
 * one piece, after a wait. Reading throws, or rejects, if the bytes cannot be read; the message
 * gives the reason in a clause: "the content is larger than declared".
 *
 * `place` tells what is read of a Blob, so that a reader of many files can read it ahead.
 */
export type FileContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | {
      readonly kind: "ranges";
      readonly readRange: (start: number, end: number) => Uint8Array;
      readonly place?: Place;
    }
  | {
      readonly kind: "whole";
      readonly readWhole: () => Uint8Array;
      readonly place?: Place;
    }
  | { readonly kind: "remote"; readonly fetchWhole: (signal: AbortSignal) => Promise<Uint8Array> };

export interface FileEntry {
  readonly kind: "file";
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** On top of the milliseconds, below 1,000,000; missing if the source knows no finer time. */
  readonly modifiedNs?: number;
  /** The low nine bits of its mode; missing for the usual ones, and if the source has none. */
  readonly permissions?: number;
  readonly content: FileContent;
}

export interface DirectoryEntry {
  readonly kind: "directory";
  modifiedMs: number;
  /** A Map, so that `__proto__` and `10` are names like any other and the order is the source's. */
  readonly children: Map<string, TreeEntry>;
}

export interface SymlinkEntry {
  readonly kind: "symlink";
  readonly target: string;
  readonly modifiedMs: number;
}

/**
 * A file that is only a name until a call inspects it.
 *
 * Each tool call inspects it anew, so that it sees the present state.
 */
export interface DeferredFile {
  readonly kind: "deferred-file";
  /** The file, if it can never change; null until it is inspected. */
  seen: FileEntry | null;
  /** True if the source answers at once: then `inspect` returns no promise. */
  readonly isLive?: true;
  /** True if files that are inspected together cost about as much as one. */
  readonly isBatched?: true;
  /** Rejects, or throws, with a `DeferredError` if the file cannot be read. */
  readonly inspect: () => Promise<FileEntry> | FileEntry;
}

/** The entries of a directory, and for each entry that is left out its name and the reason. */
export interface Listing extends ReadonlyMap<string, TreeEntry> {
  readonly leftOut?: ReadonlyMap<string, string>;
}

/** A directory whose entries are listed when a call needs them; see `DeferredFile`. */
export interface DeferredDirectory {
  readonly kind: "deferred-directory";
  /** True if the source answers at once: then `find` and `list` return no promise. */
  readonly isLive?: true;
  /** Returns the size and time of the directory itself; missing if the source has neither. */
  readonly inspect?: () => Pick<FileEntry, "sizeBytes" | "modifiedMs" | "modifiedNs">;
  /** Returns the entry of a name, or null if it is unknown; rejects as `list` does. */
  readonly find: (name: string) => Promise<TreeEntry | null> | TreeEntry | null;
  /** Returns all entries; rejects, or throws, with a `DeferredError` if they cannot be listed. */
  readonly list: () => Promise<Listing> | Listing;
}

/** A pipe, a socket or a device: listed, but never read. */
export interface SpecialEntry {
  readonly kind: "special";
  readonly modifiedMs: number;
}

export type TreeEntry =
  | FileEntry
  | DirectoryEntry
  | SymlinkEntry
  | SpecialEntry
  | DeferredFile
  | DeferredDirectory;

/** A whole tree, with the report on the source's entries. */
export interface Tree extends Omit<MountReport, "path" | "elapsedMs"> {
  readonly root: DirectoryEntry | DeferredDirectory;
}

/** Why an entry cannot be read, as a filesystem can tell it. */
export type DeferredFault = "missing" | "forbidden" | "unreadable";

/** A deferred entry cannot be read; the message gives the reason, as with `FileContent`. */
export class DeferredError extends Error {
  readonly fault: DeferredFault;

  constructor(fault: DeferredFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Why a file that the page passed can no longer be read; the system's own message says less. */
export const LOST_FILE = "it was changed, moved or removed; choose or mount it again";

/** The largest time that a JavaScript `Date` can hold, in milliseconds on either side of 1970. */
const MAX_DATE_MS = 8.64e15;

/**
 * Returns a time that the wheel can read: a whole number of milliseconds that a `Date` can hold.
 *
 * A time before 1970 is rounded down to the second, so that no fraction of it has a sign.
 */
export function clampModifiedMs(modifiedMs: number): number {
  if (Number.isNaN(modifiedMs)) {
    return 0;
  }
  const clamped = Math.trunc(Math.min(MAX_DATE_MS, Math.max(-MAX_DATE_MS, modifiedMs)));
  return clamped < 0 ? Math.max(-MAX_DATE_MS, Math.floor(clamped / 1000) * 1000) : clamped;
}

const MAX_CHARACTERS = 8192;
/** Characters of all paths together, after which each path gets few. */
const PLENTY_CHARACTERS = 16 * 1024 * 1024;
const FEW_CHARACTERS = 256;

/** Reports on a source, whose paths may be of any length; cuts them, so that it stays small. */
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
