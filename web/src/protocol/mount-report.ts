/** One step of a start, a mount or a tool call. */
export interface ProgressEvent {
  /**
   * `runtime`: the interpreter loads; `packages`: the wheels load; `ready`: the client can be
   * used; `fetch`: a source is downloaded, in bytes; `unpack`: a compressed archive is inflated,
   * in bytes of its compressed form; `index`: a source is being listed; `mount`: the tree is in
   * place; `content`: files and directories arrive that a tool call reads.
   */
  readonly phase:
    | "runtime"
    | "packages"
    | "fetch"
    | "unpack"
    | "index"
    | "mount"
    | "ready"
    | "content";
  /** The part of this phase that is done: packages, bytes or entries. */
  readonly loaded: number;
  /** The whole of this phase, if it is known. */
  readonly total?: number;
  /** The file or package of this step. */
  readonly item?: string;
}

/** A step with its time, as `onProgress` receives it. */
export interface TimedProgressEvent extends ProgressEvent {
  /** Since `connect()`, `mount()` or `callTool()`, in milliseconds. */
  readonly elapsedMs: number;
}

/**
 * The limits of a tree.
 *
 * A tree that exceeds one of the first two is refused whole; an entry that exceeds one of the
 * others is skipped, and the report names it.
 */
export interface MountLimits {
  /**
   * Files, directories and links, skipped ones included; for a directory handle, those of one
   * directory. @default 1000000
   */
  readonly maxEntries: number;
  /**
   * All files together, as declared, in bytes; also what is downloaded from an address. Files
   * that stay where they are, chosen or below a directory handle, have no such limit.
   * @default 4294967296 (4 GiB)
   */
  readonly maxTotalBytes: number;
  /** One file, as declared, in bytes. @default 2147483648 (2 GiB) */
  readonly maxFileBytes: number;
  /** Directories above an entry. @default 256 */
  readonly maxDepth: number;
  /** One name, in UTF-8 bytes; no more than the default. @default 255 */
  readonly maxNameBytes: number;
  /** One path inside the tree, in UTF-8 bytes. @default 4095 */
  readonly maxPathBytes: number;
  /**
   * The size of an archive's entry, divided by the size of its compressed form; it holds for
   * entries over 1 MiB, since the ratio of tiny ones means nothing. @default 1000
   */
  readonly maxCompressionRatio: number;
}

export const DEFAULT_LIMITS: MountLimits = {
  maxEntries: 1_000_000,
  maxTotalBytes: 4 * 1024 ** 3,
  maxFileBytes: 2 * 1024 ** 3,
  maxDepth: 256,
  maxNameBytes: 255,
  maxPathBytes: 4095,
  maxCompressionRatio: 1000,
};

/** The names of all limits. */
export const LIMIT_NAMES: readonly string[] = Object.keys(DEFAULT_LIMITS);

/** An entry that is not in the tree. */
export interface SkippedEntry {
  /** The path as the source spells it. */
  readonly path: string;
  readonly reason: string;
}

/** An entry that is in the tree under another path. */
export interface RenamedEntry {
  /** The path as the source spells it. */
  readonly from: string;
  /** The path inside the tree; empty for the tree's own root. */
  readonly to: string;
  readonly reason: string;
}

/** An entry whose spelling changed: a separator, a character, a link's target. */
export interface ConvertedEntry {
  /** The path as the source spells it. */
  readonly path: string;
  readonly reason: string;
}

/** The outcome of a mount. */
export interface MountReport {
  /** The virtual path of the tree. */
  readonly path: string;
  /**
   * The origin of the tree: an address, or a package with its exact version. Null for a tree that
   * the page passed itself.
   */
  readonly origin: string | null;
  /** Null, like the next two, for a directory that is listed on demand. */
  readonly files: number | null;
  /** Directories below the mount point, those that only paths imply included. */
  readonly directories: number | null;
  readonly symlinks: number | null;
  /** All files together, as declared; null if sizes are known only after a file is read. */
  readonly bytes: number | null;
  readonly elapsedMs: number;
  readonly skipped: readonly SkippedEntry[];
  readonly renamed: readonly RenamedEntry[];
  readonly converted: readonly ConvertedEntry[];
}
