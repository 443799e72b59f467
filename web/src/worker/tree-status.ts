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

const READ_ONLY = 0o444;
const READ_AND_ENTER = 0o555;
/** The size that systems tell of a small directory. */
const DIRECTORY_BYTES = 4096;

/** Returns the size that an entry knows without being inspected. */
export function sizeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
      return entry.sizeBytes;
    case "deferred-file":
    case "special":
      return 0;
    case "directory":
    case "deferred-directory":
      return DIRECTORY_BYTES;
    case "symlink":
      return utf8ByteLength(entry.target);
  }
}

/** Returns the file type bits of an entry's mode. */
export function typeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
    case "deferred-file":
      return MODE.FILE;
    case "directory":
    case "deferred-directory":
      return MODE.DIRECTORY;
    case "symlink":
      return MODE.SYMLINK;
    case "special":
      return MODE.DEVICE;
  }
}

/** Returns the permission bits of an entry's mode; none of them lets a caller write. */
export function permissionsOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
    case "deferred-file":
    case "special":
      return READ_ONLY;
    case "directory":
    case "deferred-directory":
      return READ_AND_ENTER;
    case "symlink":
      return 0o777;
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

/** Says why there is no answer about an entry. */
export class TreeError extends Error {
  readonly errno: number;

  constructor(errno: number) {
    super(`errno ${errno}`);
    this.errno = errno;
  }
}
