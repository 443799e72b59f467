/** Where a client's requests go, whatever performs them. */
import type { TreeglassError } from "../protocol/errors.ts";
import type { Method, RequestResults } from "../protocol/methods.ts";
import type { Ask, CallOptions } from "./call.ts";
import type { KeptState } from "./kept-state.ts";

/** Returns the absolute path of a folder of the machine; throws `BadRequest` for what is none. */
export type ToHostPath = (directory: string | URL) => string;

/** One client's requests, done in the order of the calls. */
export interface ClientSession {
  /** The settings and the mounts, as they were confirmed. */
  readonly kept: KeptState;
  /** Missing where folders of the machine cannot be mounted. */
  readonly toHostPath?: ToHostPath | undefined;
  /**
   * Has a request performed and returns what it is answered with.
   *
   * Rejects with a `TreeglassError`, or with the signal's reason as soon as that aborts.
   */
  send<M extends Method>(
    method: M,
    ask: Ask<M>,
    options?: CallOptions<M>,
  ): Promise<RequestResults[M]>;
  /** Ends it: what is pending, and all that is sent from now on, rejects with the error. */
  close(error: TreeglassError): void;
}
