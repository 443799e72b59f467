/** The page's end of a worker's own channel. */
import { TreeglassError } from "../protocol/errors.ts";
import type { PageMessage } from "../protocol/messages.ts";

/** A worker, as far as it takes and sends messages. */
export interface WorkerEndpoint {
  postMessage(message: PageMessage): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: { readonly data: unknown }) => void,
  ): void;
}

/** Returns the error for a request that holds what no message can carry. */
export function cannotBeSent(cause: unknown): TreeglassError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The request holds what cannot be sent to a worker: ${reason}`;
  return new TreeglassError("BadRequest", message, { cause });
}
