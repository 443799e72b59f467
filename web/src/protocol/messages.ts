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
export const PROTOCOL = 4;

/** Sent from the client to the worker, and answered once with the same id. */
export type Request = {
  readonly [M in Method]: {
    readonly type: "request";
    readonly id: number;
    /** Each has mounts, a configuration and tools of its own; a start is of none. */
    readonly client: number;
    /** True if anyone hears its progress; the worker sends none otherwise. */
    readonly wantsProgress: boolean;
    readonly method: M;
    readonly params: RequestParams[M];
  };
}[Method];

/** A request of the page, with the next number. */
export type NumberedMessage =
  | Request
  /** Follows a `start`, for each part of the image as it arrives. */
  | { readonly type: "part"; readonly id: number; readonly part: ImagePart }
  /** Has files that the worker wants; null if the page has released them: it answers no more. */
  | {
      readonly type: "files";
      readonly id: number;
      readonly server: number;
      readonly reply: FilesReply | null;
    };

/** A message of the page; `id` of the notices without a number is that of a request. */
export type PageMessage =
  | NumberedMessage
  /** The caller abandons a request. */
  | { readonly type: "cancel"; readonly id: number; readonly client: number }
  /**
   * The report of a mount that replaces has arrived: the mount can no longer be cancelled, so the
   * worker drops the tree that it replaced.
   */
  | { readonly type: "acknowledge"; readonly id: number; readonly client: number }
  /** The last message of a client; the worker drops its mounts. */
  | { readonly type: "close"; readonly client: number };

/** The result of a request. */
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

/** The error of a request. */
export interface ErrorReply {
  readonly type: "error";
  readonly id: number;
  readonly name: TreeglassErrorName;
  readonly message: string;
  readonly loss: Loss;
}

/** A message of the worker. */
export type WorkerMessage =
  /**
   * Sent once, when it listens, with its `PROTOCOL`, which releases that had none leave out.
   *
   * The client sends nothing before: WebKit loses messages to a module worker whose modules have
   * not run yet.
   */
  | { readonly type: "hello"; readonly protocol?: number }
  /** A request begins to run. */
  | { readonly type: "began"; readonly id: number }
  | { readonly type: "progress"; readonly id: number; readonly event: ProgressEvent }
  /** Wants files that stay on the page until a call reads them; a mount's source names `server`. */
  | { readonly type: "wanted"; readonly server: number; readonly indices: readonly number[] }
  | ResultReply
  | ErrorReply
  /** A request was cancelled in time. */
  | { readonly type: "cancelled"; readonly id: number };
