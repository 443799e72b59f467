/** The part of a client that a review asks. Any object with these methods will do. */

/** A path whose proposed content differs from its mount. */
export interface Change {
  readonly path: string;
  readonly operation: "create" | "modify" | "delete" | "rename";
  readonly kind: "file" | "directory" | "symlink";
  /** The path before a rename; null for every other operation. */
  readonly from: string | null;
  /** Lines. */
  readonly added: number;
  /** Lines. */
  readonly removed: number;
  /** Null if there was nothing. */
  readonly beforeBytes: number | null;
  /** Null if nothing is left. */
  readonly afterBytes: number | null;
  /** How the mount stands to what it had when the path was first changed. */
  readonly base: "unchanged" | "changed" | "gone" | "appeared";
  readonly flags: readonly string[];
  readonly decision: "pending" | "kept";
}

/** One committed call, or one decision of a person. */
export interface Step {
  readonly number: number;
  readonly by: "tool" | "person";
  readonly name: string;
  /** The step that an `undo` takes back, or that a `redo` brings back. */
  readonly of: number | null;
  readonly paths: readonly string[];
}

export interface Changes {
  /** Moves with every step. */
  readonly version: number;
  readonly entries: readonly Change[];
  readonly steps: readonly Step[];
}

/** A sign and the text of a line; `\` says that the line before it has no line feed. */
export type DiffLine = readonly [sign: " " | "+" | "-" | "\\", text: string];

/** A run of changed lines of one file, with the lines around it. */
export interface Hunk {
  /** Names the hunk until its lines change. */
  readonly key: string;
  readonly beforeStart: number;
  readonly beforeCount: number;
  readonly afterStart: number;
  readonly afterCount: number;
  readonly decision: "pending" | "kept";
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  readonly flags: readonly string[];
  readonly hunks: readonly Hunk[];
}

export type ExportFormat = "patch" | "archive" | "manifest";

export interface ReviewedClient {
  changes(): Promise<Changes>;
  diff(path: string): Promise<FileDiff>;
  keep(path: string, options?: { readonly hunks?: readonly string[] }): Promise<unknown>;
  reject(
    path: string,
    options?: { readonly hunks?: readonly string[]; readonly reason?: string },
  ): Promise<unknown>;
  /** The step is null if there was nothing to undo. */
  undo(): Promise<{ readonly step: Step | null }>;
  redo(): Promise<{ readonly step: Step | null }>;
  /** A patch is text, an archive is bytes, a manifest is a JSON object. */
  exportChanges(options: {
    readonly format: ExportFormat;
    readonly leaveOut?: readonly string[];
  }): Promise<string | Uint8Array | object>;
}
