/** The public names that every entry of the package exports, beside `connect` and `preload`. */

export type {
  ApprovalTable,
  ConfigDocument,
  GlobTable,
  ListDirectoryTable,
  ListDirTable,
  OutputTable,
  ReadFileTable,
  SandboxTable,
  TimeoutsTable,
  ToolsTable,
} from "../generated/config.ts";
export type { ToolArguments, ToolStructuredContent } from "../generated/tool-types.ts";
export type { Change, Changes, FileDiff, Hunk, Step } from "../protocol/changes.ts";
export { TreeglassError, type TreeglassErrorName } from "../protocol/errors.ts";
export type {
  ConvertedEntry,
  MountLimits,
  MountReport,
  ProgressEvent,
  RenamedEntry,
  SkippedEntry,
  TimedProgressEvent,
} from "../protocol/mount-report.ts";
export type { StartPhase, StartReport } from "../protocol/start-report.ts";
export type {
  DescribedTools,
  JsonSchema,
  ToolAnnotations,
  ToolDefinition,
  ToolFailure,
  ToolFormat,
  ToolName,
  ToolResult,
} from "../protocol/tools.ts";
export { type PreparedCall, TreeglassClient } from "./client.ts";
export type { AssetsOptions, ConnectOptions } from "./connect-options.ts";
export type { Drop } from "./drop.ts";
export { collectDrop } from "./dropped-files.ts";
export type {
  CallToolOptions,
  MeaningOptions,
  MountOptions,
  RunOptions,
} from "./method-options.ts";
export type {
  ArchiveSource,
  DirectorySource,
  EntriesSource,
  EntryContent,
  EntryValue,
  FilesSource,
  GithubSource,
  HostDirectorySource,
  NestedEntries,
  NpmSource,
  PackageHostOptions,
  TreeSource,
  UrlSource,
} from "./sources.ts";
