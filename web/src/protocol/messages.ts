/**
 * Every message between a page and its worker, by its journey.
 *
 * The worker's own scope is asked to load and to start the runtime, and is handed a port for each
 * client, and every Blob; all other requests go over a client's port. Whatever was asked of a worker, it does one
 * thing after the other.
 *
 * A request carries an id and is answered by exactly one reply with that id.
 */
import type { ConfigDocument } from "./config.ts";
import type { TreeglassErrorKind } from "./errors.ts";
import type { MountLimits, MountReport, ProgressEvent } from "./mount-report.ts";
import type { StartFolders, StartImage, WorkerStart } from "./start.ts";
import type { DescribedTools, ToolDefinition, ToolFormat, ToolResult } from "./tools.ts";

/** Names a Blob that travels apart; see `HandoverNotice`. */
export type BlobHandle = number;

/** A tree source as it travels: without the live lists that only a page can read. */
export type WireSource =
  | { readonly kind: "entries"; readonly entries: Readonly<Record<string, unknown>> }
  | { readonly kind: "archive"; readonly archive: BlobHandle | ArrayBuffer | Uint8Array }
  | {
      readonly kind: "files";
      readonly files: readonly WireFile[];
      /** The name of the folder, where one folder is all that was chosen. */
      readonly folder: string | null;
      /** Takes a file's place in the list, and gives a `FileReply`; in the end `FILES_CLOSED`. */
      readonly desk: MessagePort;
    }
  | { readonly kind: "directory"; readonly directory: FileSystemDirectoryHandle }
  /** A folder of the machine that the worker runs on, by its absolute path. */
  | { readonly kind: "host-directory"; readonly path: string }
  | {
      readonly kind: "url";
      /** Absolute: a worker has another base address than its page. */
      readonly url: string;
      readonly integrity: string | null;
      readonly prefetch: boolean;
    }
  | {
      readonly kind: "package";
      readonly registry: PackageRegistry;
      /** `name@version`, `@scope/name@version` or `owner/repo@ref`; the last part may be missing. */
      readonly specifier: string;
      readonly hosts: PackageHosts;
      readonly prefetch: boolean;
    };

/** Where a package comes from, in the words of the content delivery network's addresses. */
export type PackageRegistry = "npm" | "gh";

/** Absolute addresses that end in a slash. */
export interface PackageHosts {
  /** Tells which files a package has. */
  readonly index: string;
  /** Serves the files. */
  readonly files: string;
}

/** A file or a directory that a visitor chose; it stays on the page. */
export interface WireFile {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** A file that the worker asked for; null where the page has it no longer. */
export interface FileReply {
  readonly index: number;
  readonly file: BlobHandle | null;
  readonly modifiedMs: number;
}

/** The last message of a page's files: it has let go of them, and answers nothing any more. */
export const FILES_CLOSED = null;

/** What holds for all calls, until the next `configure`. */
export interface Settings {
  readonly config: ConfigDocument;
  readonly projectRoot?: string;
  readonly workingDir?: string;
}

/** What each request asks. */
export interface RequestParams {
  /** To begin to load the runtime's code, before what it starts from has arrived. */
  readonly load: { readonly folders: StartFolders };
  /** To start the runtime: from the image, or from the packages where there is none. */
  readonly start: {
    readonly folders: StartFolders;
    readonly image: StartImage | null;
    /** Over which the page stops a run; null where it shares no memory. See `InterruptCells`. */
    readonly interrupts: SharedArrayBuffer | null;
  };
  /** To set the configuration, before all else, or to replace it; the mounts stay. */
  readonly configure: Settings;
  /** To index a source and put it under `path`, whole or not at all. */
  readonly mount: MountParams;
  /** To take away what is mounted at `path`. */
  readonly unmount: { readonly path: string };
  /** To learn which tools are offered. */
  readonly listTools: Readonly<Record<string, never>>;
  /** To learn the tools in the shape that a host takes. */
  readonly describeTools: DescribeToolsParams;
  /** To learn what a person is shown who approves a call. */
  readonly summarizeCall: SummarizeCallParams;
  /** To run a tool. */
  readonly callTool: CallToolParams;
}

export interface MountParams {
  /** An absolute virtual path. */
  readonly path: string;
  readonly source: WireSource;
  readonly limits: Partial<MountLimits>;
  /** Names and globs that are left out. */
  readonly skip: readonly string[];
  /** Whether what is mounted at the path makes way. */
  readonly replace: boolean;
}

export interface DescribeToolsParams {
  readonly format: ToolFormat;
  /** The tools that the host is to have, each with the name that it sees. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface SummarizeCallParams {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export interface CallToolParams {
  readonly name: string;
  /** JSON text, also where the caller passed an object: so nothing in it can fail to be cloned. */
  readonly arguments: string;
  readonly maxOutputBytes?: number;
  readonly availableCapacityBytes?: number;
  readonly workingDir?: string;
}

/** What each request is answered with. */
export interface RequestResults {
  readonly load: null;
  readonly start: WorkerStart;
  readonly configure: null;
  readonly mount: MountReport;
  readonly unmount: null;
  readonly listTools: readonly ToolDefinition[];
  readonly describeTools: DescribedTools;
  readonly summarizeCall: string | null;
  readonly callTool: ToolResult;
}

export type Method = keyof RequestParams;

/** What the worker's own scope is asked; all else is asked over a client's port. */
export type WorkerMethod = "load" | "start";

/**
 * Sent from the client to the worker, to ask for something.
 *
 * The ids of a port count up from 1 and arrive in that order, none left out. So the worker knows
 * whose a message was that it could not read.
 */
export type Request = {
  readonly [M in Method]: {
    readonly type: "request";
    readonly id: number;
    readonly method: M;
    readonly params: RequestParams[M];
  };
}[Method];

/** Sent from the client to the worker, to say that nobody waits for a request any more. */
export interface CancelNotice {
  readonly type: "cancel";
  readonly id: number;
}

/**
 * Sent from the client to the worker when a mount's report has arrived: it can no longer be
 * cancelled, so that what it replaced can go.
 */
export interface AcknowledgeNotice {
  readonly type: "acknowledge";
  readonly id: number;
}

/** Sent from the page to the worker's own scope, to open a port for one more client. */
export interface OpenNotice {
  readonly type: "open";
  readonly port: MessagePort;
}

/**
 * Sent from the page to the worker's own scope, to hand over a Blob that a message over a client's
 * port names: before that message, and yet it may arrive after it.
 *
 * A Blob that is in memory must not go over a port. That takes it through another process, and from
 * then on Firefox reads it as a stream from there: where it is over a mebibyte large, and is first
 * read from far behind its start, a `FileReaderSync` may wait for good.
 *
 * The handles of a worker count up from 1 and arrive in that order, none left out.
 */
export interface HandoverNotice {
  readonly type: "handover";
  readonly handle: BlobHandle;
  readonly blob: Blob;
}

/** Sent from the page to the worker's own scope: a Blob can go, if nobody has taken it. */
export interface WithdrawNotice {
  readonly type: "withdraw";
  readonly handle: BlobHandle;
}

/** Sent from the client to the worker, as the last message: what it mounted can go. */
export interface CloseNotice {
  readonly type: "close";
}

/**
 * Sent from the worker to the page, once, to say that it listens.
 *
 * The client sends nothing before: WebKit loses what is posted to a module worker whose module
 * graph has not run yet.
 */
export interface HelloNotice {
  readonly type: "hello";
}

/** Sent from the worker to the client, to say that a request's turn has come. */
export interface BeganNotice {
  readonly type: "began";
  readonly id: number;
  /** By which the page can stop it; see `InterruptCells`. */
  readonly run: number;
}

/** Sent from the worker to the client, to tell how far a request has come. */
export interface ProgressNotice {
  readonly type: "progress";
  readonly id: number;
  readonly event: ProgressEvent;
}

/** Sent from the worker to the client, to answer a request. */
export interface ResultReply {
  readonly type: "result";
  readonly id: number;
  readonly result: unknown;
}

/** Sent from the worker to the client, to answer a request that cannot be met. */
export interface ErrorReply {
  readonly type: "error";
  readonly id: number;
  readonly kind: TreeglassErrorKind;
  readonly message: string;
  /** Whether the interpreter is gone: this worker can do nothing any more. */
  readonly isFatal: boolean;
}

/** Sent from the worker to the client, to answer a request that was cancelled in time. */
export interface CancelledReply {
  readonly type: "cancelled";
  readonly id: number;
}

/** What arrives at the worker's own scope; of the requests only those of `WorkerMethod`. */
export type PageMessage = Request | OpenNotice | HandoverNotice | WithdrawNotice;
/** What arrives over a client's port. */
export type ClientMessage = Request | CancelNotice | AcknowledgeNotice | CloseNotice;
export type WorkerMessage =
  | HelloNotice
  | BeganNotice
  | ProgressNotice
  | ResultReply
  | ErrorReply
  | CancelledReply;
