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

export type NoParams = Readonly<Record<string, never>>;

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

/** A changed path, and keys of hunks; the whole change if these are missing. */
interface PartOfChange {
  readonly path: string;
  readonly hunks?: readonly string[];
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

/** The parameters and the result of each method. */
interface Methods {
  /** Starts the runtime, from the image or from the packages. */
  start(params: StartParams): WorkerStart;
  /** Sets the configuration before all other requests, or replaces it; the mounts stay. */
  configure(params: Settings): null;
  /** Indexes a source and mounts it at `path`, whole or not at all. */
  mount(params: MountParams): MountReport;
  /** Removes the tree that is mounted at `path`. */
  unmount(params: { readonly path: string }): null;
  listTools(params: NoParams): readonly ToolDefinition[];
  /** Lists these tools, each with the name that the host shows, or all, in the host's shape. */
  describeTools(params: {
    readonly format: ToolFormat;
    readonly names?: Readonly<Record<string, string>>;
  }): DescribedTools;
  /**
   * Summarises a call for the person who approves it, and names the settings that it then runs
   * under; null if it would be refused.
   */
  summarizeCall(params: Pick<CallToolParams, "name" | "arguments" | "nullsAreAbsent">): {
    readonly summary: string | null;
    readonly settings: string;
  };
  callTool(params: CallToolParams): ToolResult;
  /** Lists a directory for a person. */
  listEntries(params: ListEntriesParams): EntryColumns;
  /** Reads a piece of a file for a person. */
  readFile(params: ReadFileParams): FileContent;
  /**
   * Lists what is proposed to change, or what has changed after a step: `Changes` as JSON, since to
   * clone objects takes longer.
   */
  changes(params: { readonly since?: number }): string;
  /** Compares one changed path at two points in time, by default "base" and "now". */
  diffChange(params: { readonly path: string; readonly from?: Mark; readonly to?: Mark }): FileDiff;
  /** Takes a change back, or hunks of it; with `of`, only explains an earlier rejection. */
  rejectChange(params: PartOfChange & { readonly reason?: string; readonly of?: number }): Decided;
  /** Marks a change as wanted, or hunks of it; without `isKept`, takes the mark away. */
  keepChange(params: PartOfChange & { readonly isKept?: boolean }): Decided;
  /** The step is null if there was nothing to do. */
  undoChange(params: NoParams): Decided & { readonly step: Step | null };
  redoChange(params: NoParams): Decided & { readonly step: Step | null };
  /** Returns what a host tells its model about decisions, each note once. */
  takeNotes(params: NoParams): readonly string[];
  exportChanges(params: ExportChangesParams): ExportedChanges[keyof ExportedChanges];
  saveState(params: NoParams): Uint8Array;
  /** Replaces the record of changes, as soon as the mounts that it changes are there. */
  restoreState(params: { readonly state: SavedState }): null;
  discardChanges(params: NoParams): Decided;
}

export type Method = keyof Methods;

/** Methods of a client; a start is the worker's. */
export type ClientMethod = Exclude<Method, "start">;

export type RequestParams = { readonly [M in Method]: Parameters<Methods[M]>[0] };
export type RequestResults = { readonly [M in Method]: ReturnType<Methods[M]> };
