/**
 * The methods of the protocol: one row in each of two tables.
 *
 * `PARAMS` guards what enters the worker, and `RESULTS` what enters the page, so that neither side
 * loads the other's table. All types of requests and replies follow from them.
 */

import type { ConfigDocument } from "../generated/config.ts";
import {
  isCount,
  isOptionalBoolean,
  isOptionalString,
  isRecord,
  isStringList,
  isStringRecord,
} from "../lib/checks.ts";
import { isMountReport, LIMIT_NAMES, type MountLimits } from "./mount-report.ts";
import { isWireSource, type WireSource } from "./source-kinds.ts";
import {
  isStartFolders,
  isStartImage,
  isWorkerStart,
  type StartFolders,
  type StartImage,
} from "./start.ts";
import { isDescribedTools, isToolDefinitions, isToolResult, type ToolFormat } from "./tools.ts";

type Guard<Value> = (value: unknown) => value is Value;
type Guarded<G> = G extends Guard<infer Value> ? Value : never;

export interface LoadParams {
  readonly folders: StartFolders;
}

export interface StartParams {
  readonly folders: StartFolders;
  /** Null to start from the packages. */
  readonly image: StartImage | null;
  /** The page writes here to stop a run; null if it shares no memory. See `InterruptCells`. */
  readonly interrupts: SharedArrayBuffer | null;
}

/** Settings that hold for all calls until the next `configure`. */
export interface Settings {
  readonly config: ConfigDocument;
  readonly projectRoot?: string;
  readonly workingDir?: string;
}

export interface MountParams {
  /** An absolute virtual path. */
  readonly path: string;
  readonly source: WireSource;
  readonly limits: Partial<MountLimits>;
  /** Names and globs to leave out. */
  readonly skip: readonly string[];
  /** Whether to replace a tree that is mounted at the path. */
  readonly replace: boolean;
}

export interface UnmountParams {
  readonly path: string;
}

export type NoParams = Readonly<Record<string, never>>;

export interface DescribeToolsParams {
  readonly format: ToolFormat;
  /** The tools to describe, each with the name that the host shows; all tools if missing. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface SummarizeCallParams {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  /** As in `CallToolParams`. */
  readonly nullsAreAbsent?: boolean;
}

export interface CallToolParams {
  readonly name: string;
  /** JSON text even if the caller passed an object: JSON text can always be cloned. */
  readonly arguments: string;
  readonly maxOutputBytes?: number;
  readonly availableCapacityBytes?: number;
  readonly workingDir?: string;
  /** Whether a null of an optional argument means that the argument is absent; false if missing. */
  readonly nullsAreAbsent?: boolean;
  /** How long the tool may take, in whole milliseconds, if that is less than its own time-out. */
  readonly timeoutMs?: number;
  /** The call runs only under these, as its summary named them. */
  readonly settings?: string;
}

/** What a person reads before a call, and the settings that the worker had then. */
export interface CallSummary {
  /** Null if the call would be refused. */
  readonly summary: string | null;
  readonly settings: string;
}

/** What each method takes. */
export const PARAMS = {
  /** Begins to load the runtime's code, before the files of the start have arrived. */
  load: isLoadParams,
  /** Starts the runtime, from the image or from the packages. */
  start: isStartParams,
  /** Sets the configuration before all other requests, or replaces it; the mounts stay. */
  configure: isSettings,
  /** Indexes a source and mounts it at `path`, whole or not at all. */
  mount: isMountParams,
  /** Removes the tree that is mounted at `path`. */
  unmount: isUnmountParams,
  /** Lists the offered tools. */
  listTools: isNoParams,
  /** Lists the offered tools in the shape of an agent host. */
  describeTools: isDescribeToolsParams,
  /** Summarises a call for the person who approves it. */
  summarizeCall: isSummarizeCallParams,
  /** Runs a tool. */
  callTool: isCallToolParams,
};

/** What each method returns. */
export const RESULTS = {
  load: isNull,
  start: isWorkerStart,
  configure: isNull,
  mount: isMountReport,
  unmount: isNull,
  listTools: isToolDefinitions,
  describeTools: isDescribedTools,
  summarizeCall: isSummary,
  callTool: isToolResult,
} satisfies { readonly [M in Method]: Guard<unknown> };

export type Method = keyof typeof PARAMS;

/** Methods of the worker's own scope; all other requests go over a client's port. */
export type WorkerMethod = "load" | "start";

export type RequestParams = { readonly [M in Method]: Guarded<(typeof PARAMS)[M]> };
export type RequestResults = { readonly [M in Method]: Guarded<(typeof RESULTS)[M]> };

/** Tells whether a value is the name of a method. */
export function isMethod(method: unknown): method is Method {
  return typeof method === "string" && Object.hasOwn(PARAMS, method);
}

function isLoadParams(params: unknown): params is LoadParams {
  return isRecord(params) && isStartFolders(params.folders);
}

function isStartParams(params: unknown): params is StartParams {
  return (
    isRecord(params) &&
    isStartFolders(params.folders) &&
    (params.image === null || isStartImage(params.image)) &&
    (params.interrupts === null || isSharedMemory(params.interrupts))
  );
}

function isSharedMemory(buffer: unknown): buffer is SharedArrayBuffer {
  // The constructor is missing in pages that are not cross-origin isolated.
  return typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer;
}

function isSettings(settings: unknown): settings is Settings {
  return (
    isRecord(settings) &&
    isRecord(settings.config) &&
    isOptionalString(settings.projectRoot) &&
    isOptionalString(settings.workingDir)
  );
}

function isMountParams(params: unknown): params is MountParams {
  return (
    isRecord(params) &&
    typeof params.path === "string" &&
    isWireSource(params.source) &&
    isLimits(params.limits) &&
    isStringList(params.skip) &&
    typeof params.replace === "boolean"
  );
}

function isLimits(limits: unknown): limits is Partial<MountLimits> {
  return (
    isRecord(limits) &&
    Object.entries(limits).every(([name, limit]) => LIMIT_NAMES.includes(name) && isCount(limit))
  );
}

function isUnmountParams(params: unknown): params is UnmountParams {
  return isRecord(params) && typeof params.path === "string";
}

function isNoParams(params: unknown): params is NoParams {
  return isRecord(params) && Object.keys(params).length === 0;
}

function isDescribeToolsParams(params: unknown): params is DescribeToolsParams {
  return (
    isRecord(params) &&
    typeof params.format === "string" &&
    (params.names === undefined || isStringRecord(params.names))
  );
}

function isSummarizeCallParams(params: unknown): params is SummarizeCallParams {
  return (
    isRecord(params) &&
    typeof params.name === "string" &&
    typeof params.arguments === "string" &&
    isOptionalBoolean(params.nullsAreAbsent)
  );
}

function isCallToolParams(params: unknown): params is CallToolParams {
  return (
    isRecord(params) &&
    typeof params.name === "string" &&
    typeof params.arguments === "string" &&
    isOptionalCount(params.maxOutputBytes) &&
    isOptionalCount(params.availableCapacityBytes) &&
    isOptionalString(params.workingDir) &&
    isOptionalBoolean(params.nullsAreAbsent) &&
    isOptionalCount(params.timeoutMs) &&
    isOptionalString(params.settings)
  );
}

function isOptionalCount(count: unknown): count is number | undefined {
  return count === undefined || isCount(count);
}

function isNull(result: unknown): result is null {
  return result === null;
}

function isSummary(result: unknown): result is CallSummary {
  return (
    isRecord(result) &&
    (result.summary === null || typeof result.summary === "string") &&
    typeof result.settings === "string"
  );
}
