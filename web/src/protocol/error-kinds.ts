/** Recognises the kinds of errors. */
import type { TreeglassErrorKind } from "./errors.ts";

const KINDS: ReadonlySet<string> = new Set<TreeglassErrorKind>([
  "BadRequest",
  "ConfigInvalid",
  "WorkspaceInvalid",
  "SourceUnknown",
  "SourceUnreadable",
  "LimitExceeded",
  "StartFailed",
  "WorkerFailed",
  "TimedOut",
  "SettingsChanged",
  "UnknownChange",
  "UnknownHunk",
  "StaleHunk",
  "StateInvalid",
  "ExportRefused",
  "Closed",
]);

/** Tells whether a text from another realm is one of the kinds. */
export function isTreeglassErrorKind(kind: unknown): kind is TreeglassErrorKind {
  return typeof kind === "string" && KINDS.has(kind);
}
