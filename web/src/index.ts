/** Read-only filesystem tools for an LLM agent that lives in a web page. */

export {
  type CallToolOptions,
  type MountOptions,
  TreeglassClient,
} from "./client/client.ts";
export type { AssetsOptions, ConnectOptions } from "./client/connect-options.ts";
export type { Drop } from "./client/drop.ts";
export { collectDrop } from "./client/dropped-files.ts";
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
} from "./client/sources.ts";
export { connect } from "./hosts/page/connect.ts";
export { preload } from "./hosts/page/preload.ts";
export type {
  ApprovalTable,
  ConfigDocument,
  ListDirectoryTable,
  ListDirTable,
  OutputTable,
  ReadFileTable,
  SandboxTable,
  TimeoutsTable,
  ToolsTable,
} from "./protocol/config.ts";
export { TreeglassError, type TreeglassErrorKind } from "./protocol/errors.ts";
export type {
  ConvertedEntry,
  MountLimits,
  MountReport,
  ProgressEvent,
  RenamedEntry,
  SkippedEntry,
  TimedProgressEvent,
} from "./protocol/mount-report.ts";
export type { StartPhase, StartReport } from "./protocol/start-report.ts";
export type {
  DescribedTools,
  JsonSchema,
  ToolAnnotations,
  ToolDefinition,
  ToolFailure,
  ToolFormat,
  ToolResult,
} from "./protocol/tools.ts";
