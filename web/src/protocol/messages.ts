/**
 * Every message between a page and its worker.
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
