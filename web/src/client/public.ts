/**
 * The public names that every entry of the package exports, beside `connect` and `preload`.
 *
 * A type is here if programs write its name. The others are parts of these, such as
 * `MountOptions["limits"]`, `ToolResult["error"]` and `TreeglassError["name"]`.
 */

export type { ConfigDocument } from "../generated/config.ts";
export type { ToolArguments } from "../generated/tool-types.ts";
export type { Change, Changes, FileDiff } from "../protocol/changes.ts";
export { TreeglassError } from "../protocol/errors.ts";
export type { MountReport, TimedProgressEvent } from "../protocol/mount-report.ts";
export type { StartReport } from "../protocol/start-report.ts";
export type { ToolDefinition, ToolName, ToolResult } from "../protocol/tools.ts";
export { type PreparedCall, TreeglassClient } from "./client.ts";
export type { ConnectOptions } from "./connect-options.ts";
export { collectDrop } from "./dropped-files.ts";
export type { EntryPage, FilePiece, TreeEntry } from "./files-client.ts";
export type { CallToolOptions, MountOptions } from "./method-options.ts";
export type { EntriesSource, TreeSource } from "./sources.ts";
