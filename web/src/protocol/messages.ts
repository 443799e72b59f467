/**
 * Every message between a page and its worker.
 *
 * Neither end checks what the other has sent: both are of one release, as `PROTOCOL` proves. What a
 * caller passes is checked where it enters, by the client, by the source that reads it, and by the
 * wheel.
 *
 * All of them go over the worker's own channel, whichever client they are of: a Blob in memory that
 * went over a port could halt Firefox. A port takes it through another process, and from then on
 * Firefox reads it as a stream from there: if the Blob is larger than a mebibyte and is first read
 * far from its start, a `FileReaderSync` may wait forever.
 *
 * The worker performs one request at a time. A request carries an id and gets exactly one reply with
 * that id. The ids of a worker count up from 1, through requests, parts and files alike, and arrive
 * in order and without gaps. So the worker knows the id of a message that it cannot decode.
 */
import type { SavedChanges } from "./changes.ts";
import type { TreeglassErrorName } from "./errors.ts";
import type { Method, RequestParams } from "./methods.ts";
import type { ProgressEvent } from "./mount-report.ts";
import type { FilesReply } from "./source-kinds.ts";
import type { ImagePart } from "./start.ts";

/**
 * The number of this protocol; raise it in each release that changes a message.
 *
 * A page refuses a worker of another number, which is of another release.
 */
export const PROTOCOL = 3;

/** Sent from the client to the worker. */
export type Request = {
  readonly [M in Method]: {
    readonly type: "request";
    readonly id: number;
    /** Each has mounts, a configuration and tools of its own; a start is of none. */
    readonly client: number;
    readonly method: M;
    readonly params: RequestParams[M];
  };
}[Method];

/** Sent from the client to the worker when the caller abandons a request. */
export interface CancelNotice {
  readonly type: "cancel";
  readonly id: number;
  readonly client: number;
}

/**
 * Sent from the client to the worker when a mount's report has arrived: the mount can no longer be
 * cancelled, so the worker drops the tree that it replaced.
 */
export interface AcknowledgeNotice {
  readonly type: "acknowledge";
  readonly id: number;
  readonly client: number;
}

/** Sent from the client to the worker as its last message; the worker drops its mounts. */
export interface CloseNotice {
  readonly type: "close";
  readonly client: number;
}

/** Sent from the page to the worker after a `start`, for each part of the image as it arrives. */
export interface PartNotice {
  readonly type: "part";
  readonly id: number;
  readonly part: ImagePart;
}

/** Sent from the page to the worker with files that it wants. */
export interface FilesNotice {
  readonly type: "files";
  readonly id: number;
  readonly server: number;
  /** Null if the page has released the files: it answers no more. */
  readonly reply: FilesReply | null;
}

/** Sent from the worker to the page to get files that stay there until a call reads them. */
export interface WantedNotice {
  readonly type: "wanted";
  /** As the source of the mount names it. */
  readonly server: number;
  readonly indices: readonly number[];
}

/**
 * Sent from the worker to the page once, when it listens.
 *
 * The client sends nothing before: WebKit loses messages to a module worker whose modules have not
 * run yet.
 */
export interface HelloNotice {
  readonly type: "hello";
  /** The worker's `PROTOCOL`; missing in releases that had none. */
  readonly protocol?: number;
}

/** Sent from the worker to the client when a request begins to run. */
export interface BeganNotice {
  readonly type: "began";
  readonly id: number;
  /** Identifies the run for an interrupt; see `InterruptCells`. */
  readonly run: number;
}

/** Sent from the worker to the client with the progress of a request. */
export interface ProgressNotice {
  readonly type: "progress";
  readonly id: number;
  readonly event: ProgressEvent;
}

/** Sent from the worker to the client with the result of a request. */
export interface ResultReply {
  readonly type: "result";
  readonly id: number;
  readonly result: unknown;
  /** True if this worker is to be ended, because nothing else frees its memory. @default false */
  readonly isLast?: boolean;
  /** The client's record of changes; missing if the request has not changed it. */
  readonly changes?: SavedChanges;
}

/**
 * The loss that a failed request has caused.
 *
 * `interpreter`: it died, and the worker can start another one. `worker`: this worker can serve no
 * further request.
 */
export type Loss = "nothing" | "interpreter" | "worker";

/** Sent from the worker to the client with the error of a request. */
export interface ErrorReply {
  readonly type: "error";
  readonly id: number;
  readonly name: TreeglassErrorName;
  readonly message: string;
  readonly loss: Loss;
}

/** Sent from the worker to the client for a request that was cancelled in time. */
export interface CancelledReply {
  readonly type: "cancelled";
  readonly id: number;
}

export type NumberedMessage = Request | PartNotice | FilesNotice;
export type PageMessage = NumberedMessage | CancelNotice | AcknowledgeNotice | CloseNotice;
export type WorkerMessage =
  | HelloNotice
  | BeganNotice
  | ProgressNotice
  | WantedNotice
  | ResultReply
  | ErrorReply
  | CancelledReply;
