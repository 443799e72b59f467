/** Errors in the form that travels. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ErrorReply } from "../protocol/messages.ts";
import { InterpreterFailed } from "./bridge.ts";

/** What a message of no known shape is answered with. */
export const MALFORMED = new TreeglassError(
  "BadRequest",
  "The request has values of the wrong type; see the types of the package.",
);

/** Returns what an error reply says of an error, of any kind. */
export function wireError(error: unknown): Pick<ErrorReply, "kind" | "message" | "isFatal"> {
  const isFatal = error instanceof InterpreterFailed;
  if (error instanceof TreeglassError) {
    return { kind: error.kind, message: error.message, isFatal };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "WorkerFailed", message: `The worker failed: ${reason}`, isFatal };
}
