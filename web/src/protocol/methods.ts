/** The methods of the protocol: one row each, from which all types of requests and replies follow. */
import type { ConfigDocument } from "../generated/config.ts";
import type { ExportedChanges, FileDiff, Mark, SavedState, Step } from "./changes.ts";
import type { EntryColumns, FileContent, ListEntriesParams, ReadFileParams } from "./files.ts";
import type { MountLimits, MountReport } from "./mount-report.ts";
import type { WireSource } from "./source-kinds.ts";
import type { ImageOrigin, StartFolders, WorkerStart } from "./start.ts";
import type { DescribedTools, ToolDefinition, ToolFormat, ToolResult } from "./tools.ts";

export interface StartParams {
  readonly folders: StartFolders;
  /** Its parts follow as messages; null to start from the packages. */
  readonly image: ImageOrigin | null;
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
  /** True to replace a tree that is mounted at the path. */
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
  /** True if a null of an optional argument means that the argument is absent; false if missing. */
  readonly nullsAreAbsent?: boolean;
  /** A limit for the tool below its own time-out, in whole milliseconds. */
  readonly timeoutMs?: number;
  /** The call runs only under these, as its summary named them. */
  readonly settings?: string;
  /** The host's name for the turn, for the step that the call makes. */
  readonly group?: string;
  /** Milliseconds since 1970 that files get which the call changes; the clock's if missing. */
  readonly timeMs?: number;
}

/** The text that a person reads before a call, and the settings that the worker had then. */
export interface CallSummary {
  /** Null if the call would be refused. */
  readonly summary: string | null;
  readonly settings: string;
}

export interface ChangesParams {
  /** The number of the step after which changes count; all changes if missing. */
  readonly since?: number;
}

export interface DiffChangeParams {
  readonly path: string;
  /** @default "base" */
  readonly from?: Mark;
  /** @default "now" */
  readonly to?: Mark;
}

export interface KeepChangeParams {
  readonly path: string;
  /** Keys of hunks; the whole change if missing. */
  readonly hunks?: readonly string[];
}

export interface RejectChangeParams extends KeepChangeParams {
  /** For the notes that `takeNotes` returns. */
  readonly reason?: string;
  /** The version after an earlier rejection, which gets its reason; nothing is taken back. */
  readonly of?: number;
}

export interface ExportChangesParams {
  readonly format: keyof ExportedChanges;
  /** Paths, and keys of hunks. */
  readonly leaveOut?: readonly string[];
}

/** The version after a decision. */
export interface Decided {
  readonly version: number;
}

/** The version after an `undo` or a `redo`, with its step; null if there was nothing to do. */
export interface SteppedBack extends Decided {
  readonly step: Step | null;
}

/** A method takes `params` and returns `result`. */
interface Methods {
  /** Starts the runtime, from the image or from the packages. */
  readonly start: { readonly params: StartParams; readonly result: WorkerStart };
  /** Sets the configuration before all other requests, or replaces it; the mounts stay. */
  readonly configure: { readonly params: Settings; readonly result: null };
  /** Indexes a source and mounts it at `path`, whole or not at all. */
  readonly mount: { readonly params: MountParams; readonly result: MountReport };
  /** Removes the tree that is mounted at `path`. */
  readonly unmount: { readonly params: UnmountParams; readonly result: null };
  readonly listTools: { readonly params: NoParams; readonly result: readonly ToolDefinition[] };
  /** Lists the offered tools in the shape of an agent host. */
  readonly describeTools: { readonly params: DescribeToolsParams; readonly result: DescribedTools };
  /** Summarises a call for the person who approves it. */
  readonly summarizeCall: { readonly params: SummarizeCallParams; readonly result: CallSummary };
  readonly callTool: { readonly params: CallToolParams; readonly result: ToolResult };
  /** Lists a directory for a person. */
  readonly listEntries: { readonly params: ListEntriesParams; readonly result: EntryColumns };
  /** Reads a piece of a file for a person. */
  readonly readFile: { readonly params: ReadFileParams; readonly result: FileContent };
  /** Lists what is proposed to change: `Changes` as JSON, since to clone objects takes longer. */
  readonly changes: { readonly params: ChangesParams; readonly result: string };
  /** Compares one changed path at two points in time. */
  readonly diffChange: { readonly params: DiffChangeParams; readonly result: FileDiff };
  /** Takes a change back, or hunks of it. */
  readonly rejectChange: { readonly params: RejectChangeParams; readonly result: Decided };
  /** Marks a change as wanted, or hunks of it. */
  readonly keepChange: { readonly params: KeepChangeParams; readonly result: Decided };
  readonly undoChange: { readonly params: NoParams; readonly result: SteppedBack };
  readonly redoChange: { readonly params: NoParams; readonly result: SteppedBack };
  /** Returns what a host tells its model about decisions, each note once. */
  readonly takeNotes: { readonly params: NoParams; readonly result: readonly string[] };
  readonly exportChanges: {
    readonly params: ExportChangesParams;
    readonly result: ExportedChanges[keyof ExportedChanges];
  };
  readonly saveState: { readonly params: NoParams; readonly result: Uint8Array };
  /** Replaces the record of changes, as soon as the mounts that it changes are there. */
  readonly restoreState: {
    readonly params: { readonly state: SavedState };
    readonly result: null;
  };
  readonly discardChanges: { readonly params: NoParams; readonly result: Decided };
}

export type Method = keyof Methods;

/** Methods of a client; a start is the worker's. */
export type ClientMethod = Exclude<Method, "start">;

export type RequestParams = { readonly [M in Method]: Methods[M]["params"] };
export type RequestResults = { readonly [M in Method]: Methods[M]["result"] };
