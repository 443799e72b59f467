/** The status of an entry: its kind and permissions as a mode, its size, and its time. */
import { utf8ByteLength } from "../sources/names.ts";
import type { FileContent, FileEntry, TreeEntry } from "../sources/tree.ts";

export const MODE = {
  DIRECTORY: 0o040000,
  FILE: 0o100000,
  SYMLINK: 0o120000,
  /** Stands for every entry that is neither file, directory nor link. */
  DEVICE: 0o020000,
} as const;

export interface Status {
  /** The content of a file, if it can never change. */
  readonly lasting: FileContent | null;
  readonly mode: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** On top of the milliseconds. */
  readonly modifiedNs: number;
}

/** The size that systems tell of a small directory. */
const DIRECTORY_BYTES = 4096;

/**
 * The file type of each kind, and its permissions where the source has none: an exported change
 * gives them to a file, so they are those of a new file.
 */
const MODES: Readonly<Record<TreeEntry["kind"], readonly [type: number, permissions: number]>> = {
  file: [MODE.FILE, 0o644],
  "deferred-file": [MODE.FILE, 0o644],
  directory: [MODE.DIRECTORY, 0o555],
  "deferred-directory": [MODE.DIRECTORY, 0o555],
  symlink: [MODE.SYMLINK, 0o777],
  special: [MODE.DEVICE, 0o444],
};

export function typeOf({ kind }: TreeEntry): number {
  return MODES[kind][0];
}

export function modeOf({ kind }: TreeEntry, permissions?: number): number {
  const [type, usual] = MODES[kind];
  return type | (permissions ?? usual);
}

/** Returns the size that an entry knows without being inspected. */
export function sizeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
      return entry.sizeBytes;
    case "symlink":
      return utf8ByteLength(entry.target);
    default:
      return typeOf(entry) === MODE.DIRECTORY ? DIRECTORY_BYTES : 0;
  }
}

/** Returns the size and time of a deferred directory whose source tells them. */
export function directoryStatusOf(
  entry: TreeEntry,
): Pick<FileEntry, "sizeBytes" | "modifiedMs" | "modifiedNs"> | null {
  // A directory without status may still be listed; the listing tells whether it can be read.
  try {
    return entry.kind === "deferred-directory" ? (entry.inspect?.() ?? null) : null;
  } catch {
    return null;
  }
}

/** The interpreter's numbers are WASI's, not Linux's. */
export const ERRNO = {
  EACCES: 2,
  ENOENT: 44,
  EINVAL: 28,
  EIO: 29,
  ENOTDIR: 54,
} as const;

export class TreeError extends Error {
  readonly errno: number;

  constructor(errno: number) {
    super(`errno ${errno}`);
    this.errno = errno;
  }
}
