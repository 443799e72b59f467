/** The requests of one client, over a worker or in the same isolate. */
import type { TreeglassError } from "../protocol/errors.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { CallOptions } from "./call.ts";
import type { KeptState } from "./kept-state.ts";
import type { Sendable } from "./sendable.ts";

/** Returns the absolute path of a folder of the machine; throws `BadRequest` if it is not a folder. */
export type ToHostPath = (directory: string | URL) => string;

/** Performs one client's requests in the order of the calls. */
export interface ClientSession {
  /** The confirmed settings and mounts. */
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
