/**
 * The one error that this package rejects with, apart from aborts; its `name` is one of these.
 *
 *     TreeglassError
 *     ├─ BadRequest         a call of the client with values that make no sense
 *     ├─ ConfigInvalid      the configuration has an unknown key or a refused value
 *     ├─ WorkspaceInvalid   a mount path or directory makes no sense
 *     ├─ PathUnreadable     a path to list or to read is not there, of another kind, or damaged
 *     ├─ SourceUnknown      the tree source has none of the known shapes, or names two trees
 *     ├─ SourceUnreadable   the tree source is broken, or is not what it says
 *     ├─ LimitExceeded      the tree, or what is proposed, is over a limit, which is named
 *     ├─ StartFailed        the worker, the runtime or its packages did not load
 *     ├─ WorkerFailed       the worker or its interpreter died
 *     ├─ TimedOut           a tool call ran longer than it may, and was stopped
 *     ├─ SettingsChanged    a prepared call was to run under other settings
 *     ├─ UnknownChange      nothing is proposed at the path
 *     ├─ UnknownHunk        the change has no hunk of this key
 *     ├─ StaleHunk          the hunk has changed since its key was read
 *     ├─ StateInvalid       the saved changes were damaged, or are of another release
 *     ├─ ExportRefused      an archive cannot hold a changed file under its name
 *     └─ Closed             the client was closed
 *
 * An agent's mistake is never an error here: it is a tool result.
 */
export type TreeglassErrorName =
  | "BadRequest"
  | "ConfigInvalid"
  | "WorkspaceInvalid"
  | "PathUnreadable"
  | "SourceUnknown"
  | "SourceUnreadable"
  | "LimitExceeded"
  | "StartFailed"
  | "WorkerFailed"
  | "TimedOut"
  | "SettingsChanged"
  | "UnknownChange"
  | "UnknownHunk"
  | "StaleHunk"
  | "StateInvalid"
  | "ExportRefused"
  | "Closed";

/** The API was misused, or the runtime could not do its work; the message says what to do. */
export class TreeglassError extends Error {
  /** The kind of the failure. */
  override readonly name: TreeglassErrorName;

  constructor(name: TreeglassErrorName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}
