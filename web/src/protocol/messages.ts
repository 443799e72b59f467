/**
 * Every message between a page and its worker.
 *
 * Neither end checks what the other has sent: both are of one release, as `PROTOCOL` proves. What a
 * caller passes is checked where it enters, by the client, by the source that reads it, and by the
 * wheel.
 *
 * The worker's own scope takes `load` and `start`, a port for each client, and every Blob; all
 * other requests go over a client's port. The worker performs one request at a time, whichever port
 * it came over.
 *
 * A request carries an id and gets exactly one reply with that id.
 */
import type { TreeglassErrorKind } from "./errors.ts";
import type { Method, RequestParams } from "./methods.ts";
import type { ProgressEvent } from "./mount-report.ts";
import type { BlobHandle } from "./source-kinds.ts";

/**
 * The number of this protocol; raise it with every change of a message.
 *
 * A page refuses a worker of another number, which is of another release.
 */
export const PROTOCOL = 1;

/**
 * Sent from the client to the worker.
 *
 * The ids of a port count up from 1 and arrive in order and without gaps. So the worker knows the
 * id of a request that it cannot decode.
 */
export type Request = {
  readonly [M in Method]: {
    readonly type: "request";
    readonly id: number;
    readonly method: M;
    readonly params: RequestParams[M];
  };
}[Method];

/** Sent from the client to the worker when the caller abandons a request. */
export interface CancelNotice {
  readonly type: "cancel";
  readonly id: number;
}

/**
 * Sent from the client to the worker when a mount's report has arrived: the mount can no longer be
 * cancelled, so the worker drops the tree that it replaced.
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
 * Sent from the page to the worker's own scope with a Blob, before the message over a client's
 * port that names its handle; it may still arrive after that message.
 *
 * A Blob in memory must not go over a port. A port takes it through another process, and from then
 * on Firefox reads it as a stream from there: if the Blob is larger than a mebibyte and is first
 * read far from its start, a `FileReaderSync` may wait forever.
 *
 * The handles of a worker count up from 1 and arrive in order and without gaps.
 */
export interface HandoverNotice {
  readonly type: "handover";
  readonly handle: BlobHandle;
  readonly blob: Blob;
}

/** Sent from the page to the worker's own scope to drop a Blob that no source has taken. */
export interface WithdrawNotice {
  readonly type: "withdraw";
  readonly handle: BlobHandle;
}

/** Sent from the client to the worker as the last message; the worker drops its mounts. */
export interface CloseNotice {
  readonly type: "close";
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
  /** Whether this worker is to be ended, because nothing else frees its memory. @default false */
  readonly isLast?: boolean;
}

/**
 * What a request has cost besides itself.
 *
 * `interpreter`: it died, and the worker can start another one. `worker`: this worker can serve no
 * further request.
 */
export type Loss = "nothing" | "interpreter" | "worker";

/** Sent from the worker to the client with the error of a request. */
export interface ErrorReply {
  readonly type: "error";
  readonly id: number;
  readonly kind: TreeglassErrorKind;
  readonly message: string;
  readonly loss: Loss;
}

/** Sent from the worker to the client for a request that was cancelled in time. */
export interface CancelledReply {
  readonly type: "cancelled";
  readonly id: number;
}

/** Messages to the worker's own scope; its requests are those of `WorkerMethod`. */
export type PageMessage = Request | OpenNotice | HandoverNotice | WithdrawNotice;
/** Messages over a client's port. */
export type ClientMessage = Request | CancelNotice | AcknowledgeNotice | CloseNotice;
export type WorkerMessage =
  | HelloNotice
  | BeganNotice
  | ProgressNotice
  | ResultReply
  | ErrorReply
  | CancelledReply;
