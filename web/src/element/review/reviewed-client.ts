/** The part of a client that a review asks. Any object with these methods will do. */
import type { Changes, FileDiff, Hunk, Step } from "../../protocol/changes.ts";

export type { Change, Changes, FileDiff, Hunk, Step } from "../../protocol/changes.ts";

/** A sign and the text of a line; `\` says that the line before it has no line feed. */
export type DiffLine = Hunk["lines"][number];

export type ExportFormat = "patch" | "archive" | "manifest";

export interface ReviewedClient {
  changes(): Promise<Changes>;
  diff(path: string): Promise<FileDiff>;
  /** With `isKept: false`, takes the mark of an earlier call away. */
  keep(
    path: string,
    options?: { readonly hunks?: readonly string[]; readonly isKept?: boolean },
  ): Promise<unknown>;
  /** With `of`, the version that leaving something returned, gives only the reason for that. */
  reject(
    path: string,
    options?: {
      readonly hunks?: readonly string[];
      readonly reason?: string;
      readonly of?: number;
    },
  ): Promise<{ readonly version: number }>;
  /** The step is null if there was nothing to undo. */
  undo(): Promise<{ readonly step: Step | null }>;
  redo(): Promise<{ readonly step: Step | null }>;
  /** A patch is text, an archive is bytes, a manifest is a JSON object. */
  exportChanges(options: {
    readonly format: ExportFormat;
    readonly leaveOut?: readonly string[];
  }): Promise<string | Uint8Array | object>;
}
