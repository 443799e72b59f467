/** Errors as replies carry them. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ErrorReply } from "../protocol/messages.ts";
import { InterpreterFailed } from "./bridge.ts";

/** The reply to a message of an unknown shape. */
export const MALFORMED = new TreeglassError(
  "BadRequest",
  "The request has values of the wrong type; see the types of the package.",
);

/** Returns the fields of an error reply for any error. */
export function wireError(error: unknown): Pick<ErrorReply, "kind" | "message" | "isFatal"> {
  const isFatal = error instanceof InterpreterFailed;
  if (error instanceof TreeglassError) {
    return { kind: error.kind, message: error.message, isFatal };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "WorkerFailed", message: `The worker failed: ${reason}`, isFatal };
}
