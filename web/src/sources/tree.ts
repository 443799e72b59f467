/**
 * Where a file's bytes come from, when somebody asks for them.
 *
 * `bytes` are at hand; `ranges` are read piece by piece, each piece as cheaply as any other;
 * `whole` can only be had at once, so whoever reads it keeps the bytes for the next piece;
 * `remote` are the same, after a wait. Reading throws, or rejects, where the bytes cannot be had,
 * with an error that says why in a clause: "the content is larger than declared".
 */
export type FileContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "ranges"; readonly readRange: (start: number, end: number) => Uint8Array }
  | { readonly kind: "whole"; readonly readWhole: () => Uint8Array }
  | { readonly kind: "remote"; readonly fetchWhole: (signal: AbortSignal) => Promise<Uint8Array> };

export interface FileEntry {
  readonly kind: "file";
  readonly sizeBytes: number;
  readonly modifiedMs: number;
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
 * A file of which nothing but its name is known until somebody looks.
 *
 * Each call of a tool looks anew, so that it sees what is there now.
 */
export interface DeferredFile {
  readonly kind: "deferred-file";
  /** What is kept of it, where it never becomes another one; null until it was looked at. */
  seen: FileEntry | null;
  /** Whether nobody has to wait: then `look` returns no promise. */
  readonly isLive?: true;
  /** Rejects, or throws, with a `DeferredError` where the file cannot be had. */
  readonly look: () => Promise<FileEntry> | FileEntry;
}

/** What a directory holds, and by name why other entries of it are left out. */
export interface Listing extends ReadonlyMap<string, TreeEntry> {
  readonly leftOut?: ReadonlyMap<string, string>;
}

/** A directory whose entries are known only when somebody asks; see `DeferredFile`. */
export interface DeferredDirectory {
  readonly kind: "deferred-directory";
  /** Whether nobody has to wait: then `find` and `list` return no promise. */
  readonly isLive?: true;
  /** Returns what the directory tells of itself; missing where the source has nothing to tell. */
  readonly look?: () => Pick<FileEntry, "sizeBytes" | "modifiedMs">;
  /** Returns the entry of a name, or null where there is none; rejects as `list` does. */
  readonly find: (name: string) => Promise<TreeEntry | null> | TreeEntry | null;
  /** Returns all entries; rejects, or throws, with a `DeferredError` where they cannot be listed. */
  readonly list: () => Promise<Listing> | Listing;
}

/** A pipe, a socket or a device: it is listed, and nothing is read of it. */
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

/** What a filesystem can say of an entry that cannot be had. */
export type DeferredFault = "missing" | "forbidden" | "unreadable";

/** A deferred entry cannot be had; the message says why, as `FileContent` does. */
export class DeferredError extends Error {
  readonly fault: DeferredFault;

  constructor(fault: DeferredFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** The largest time that a JavaScript `Date` can hold, in milliseconds on either side of 1970. */
const MAX_DATE_MS = 8.64e15;

/**
 * Returns a time that the interpreter survives.
 *
 * Emscripten turns a file's time into a BigInt, and one that is no valid `Date` ends the
 * interpreter for good. Before 1970 it also gets the sign of the milliseconds wrong, so there the
 * whole second below is taken.
 */
export function clampModifiedMs(modifiedMs: number): number {
  if (Number.isNaN(modifiedMs)) {
    return 0;
  }
  const clamped = Math.trunc(Math.min(MAX_DATE_MS, Math.max(-MAX_DATE_MS, modifiedMs)));
  return clamped < 0 ? Math.max(-MAX_DATE_MS, Math.floor(clamped / 1000) * 1000) : clamped;
}
