/** A session as its client sees it, and what it needs of its place and of its worker's owner. */
import type { TreeglassError } from "../protocol/errors.ts";
import type { InterruptCells } from "../protocol/interrupts.ts";
import type { Loss } from "../protocol/messages.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { KeptState } from "./kept-state.ts";
import type { CallOptions, Sendable } from "./sendable.ts";
import type { StartFetch } from "./start-files.ts";
import type { WorkerLike } from "./worker-process.ts";

/** Returns the absolute path of a folder of the machine; throws `BadRequest` if it is not a folder. */
export type ToHostPath = (directory: string | URL) => string;

/** Performs one client's requests in the order of the calls. */
export interface ClientSession {
  readonly kept: KeptState;
  /** Missing if folders of the machine cannot be mounted. */
  readonly toHostPath?: ToHostPath | undefined;
  /**
   * Performs a request and returns its result.
   *
   * Rejects with a `TreeglassError`, or with the signal's reason as soon as that aborts.
   */
  send<M extends ClientMethod>(
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options?: CallOptions<M>,
  ): Promise<RequestResults[M]>;
  /** Ends the session: pending and later requests reject with the error. */
  close(error: TreeglassError): void;
}

/**
 * One kind of place, such as a page; `WorkerHost` is the worker's counterpart.
 *
 * Each folder of `hosts/` whose clients have workers implements it as one object, in its
 * `client-host.ts`.
 */
export interface ClientHost {
  /** True if client and worker can share memory, so that the client can interrupt a call. */
  readonly sharesMemory: boolean;
  /**
   * Returns the absolute address of an assets folder, which ends in a slash.
   *
   * Throws `BadRequest` for a malformed address, and `StartFailed` outside of this kind of place.
   */
  resolveAssets(assets: string | URL | undefined): string;
  /** Begins to read the files that a start needs, or joins an earlier call; never throws. */
  fetchStartFiles(assets: string): StartFetch;
  /** Starts a worker for this assets folder; throws `StartFailed` if it cannot. */
  makeWorker(assets: string): WorkerLike;
  /** Returns the error that says why a start failed, if this place knows more than the error. */
  readonly explainFailure?: (error: TreeglassError, assets: string) => Promise<TreeglassError>;
  /** Keeps the program running until the returned function is called; missing if it runs anyway. */
  readonly stayAlive?: () => () => void;
  /** Missing if the worker cannot read folders of the machine. */
  readonly toHostPath?: ToHostPath;
}

/** Starts, replaces and ends the worker that one or more sessions use. */
export interface WorkerSupervisor {
  /** Null if page and worker share no memory. */
  readonly interrupts: InterruptCells | null;
  readonly toHostPath: ToHostPath | undefined;
  /** Keeps the program running until the returned function is called. */
  stayAlive(): () => void;
  /** Replaces a worker that failed, or its interpreter. */
  crashed(reason: string, loss?: Exclude<Loss, "nothing">): void;
  /** Notes that the worker did something since its last crash. */
  succeeded(): void;
  replace(): void;
  /** Removes a session; the worker ends with the last one. */
  leave(session: ClientSession): void;
  /** Tells whether the worker also serves other sessions. */
  hasOthers(session: ClientSession): boolean;
  /** Tells whether any session waits for anything except this `Call`. */
  isWaitingBut(call: object): boolean;
  /** Stops abandoned calls, because another request waits. */
  stopAbandoned(): void;
}
