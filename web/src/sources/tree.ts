/**
 * Where a file's bytes come from, when somebody asks for them.
 *
 * `bytes` are at hand; `ranges` are read piece by piece, each piece as cheaply as any other;
 * `whole` can only be had at once, so whoever reads it keeps the bytes for the next piece. Reading
 * throws where the bytes cannot be had.
 */
export type FileContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "ranges"; readonly readRange: (start: number, end: number) => Uint8Array }
  | { readonly kind: "whole"; readonly readWhole: () => Uint8Array };

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

export type TreeEntry = FileEntry | DirectoryEntry | SymlinkEntry;

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
