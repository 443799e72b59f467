/** The changes that tools propose: nothing of them is written, and a person decides about them. */

/** A step's number, or a point in time without one: the mounts alone, or now. */
export type Mark = number | "base" | "now";

/** The proposed changes, over all mounts. */
export interface Changes {
  /** The number of the last step; it moves with every step. */
  readonly version: number;
  /** The paths whose proposed content differs from their mounts, sorted by path. */
  readonly entries: readonly Change[];
  /** The steps that led there, as far back as they are kept; those after `since`, if it was given. */
  readonly steps: readonly Step[];
}

/** A path whose proposed content differs from its mount. */
export interface Change {
  /** The virtual path. */
  readonly path: string;
  readonly operation: "create" | "modify" | "delete" | "rename";
  readonly kind: "file" | "directory" | "symlink";
  /** The virtual path that the file was renamed from; null for every other operation. */
  readonly from: string | null;
  /** Lines that are new; 0 if either side is no text. */
  readonly added: number;
  /** Lines that are gone; 0 if either side is no text. */
  readonly removed: number;
  /** Null if there was nothing. */
  readonly beforeBytes: number | null;
  /** Null if there is nothing left. */
  readonly afterBytes: number | null;
  /**
   * The mount, compared with the time when the path was first changed. `appeared`: the mount has
   * something now where it had nothing.
   */
  readonly baseState: "unchanged" | "changed" | "gone" | "appeared";
  /** Properties that the lines do not show by themselves, each in words for a person. */
  readonly flags: { readonly [Flag in ChangeFlag]?: string };
  /** True if one hunk stands for all, since a closer comparison takes too long. */
  readonly isCoarse: boolean;
  readonly decision: "pending" | "kept";
}

/**
 * A property of a change that its lines do not show.
 *
 * `acts`: the file acts by itself, such as a script of a package manager. `name`: the path cannot
 * be written everywhere, such as one that Windows reserves.
 */
export type ChangeFlag =
  | "acts"
  | "binary"
  | "encoding"
  | "byte_order_mark"
  | "line_ends"
  | "last_line_end"
  | "mode"
  | "invisible"
  | "name";

/** One committed call, or one decision of a person. */
export interface Step {
  /** Counts from 1. */
  readonly number: number;
  readonly by: "tool" | "person";
  /** The tool's full name; of a person's step, `reject`, `undo` or `redo`. */
  readonly name: string;
  /** The option `group` of the call; null without one. */
  readonly group: string | null;
  /** The step that an `undo` takes back, or that a `redo` brings back. */
  readonly of: number | null;
  /** The virtual paths that it moved. */
  readonly paths: readonly string[];
}

/** A change with its hunks. */
export interface FileDiff extends Change {
  /** Empty if either side is no text, and of what is no file. */
  readonly hunks: readonly Hunk[];
}

/** A run of changed lines of one file, with the lines around it. */
export interface Hunk {
  /** Names the hunk until its lines change. */
  readonly key: string;
  /**
   * The number of the first line in the file before the change, from 1; of no lines, the number of
   * the line before them.
   */
  readonly beforeStart: number;
  readonly beforeCount: number;
  /** The same in the file after the change. */
  readonly afterStart: number;
  readonly afterCount: number;
  readonly decision: "pending" | "kept";
  /**
   * Each line with its sign, without its line feed. The sign `\` says that the line before it ends
   * without one.
   */
  readonly lines: readonly (readonly [sign: " " | "+" | "-" | "\\", text: string])[];
}

/** The return value of `exportChanges`, by format. */
export interface ExportedChanges {
  /** A patch for `git apply`. */
  readonly patch: string;
  /** An archive of the changed files, with a list of those that are gone. */
  readonly archive: Uint8Array;
  /** All changes as JSON. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** The record of changes after a request that changed it. */
export interface SavedChanges {
  /** The new version; null if only marks and notes have changed, which are no step. */
  readonly version: number | null;
  /** As the bridge saves it: base64. */
  readonly state: string;
}

/** A saved record: the bytes that a page stores, or base64 as the bridge has it. */
export type SavedState = Uint8Array | string;
