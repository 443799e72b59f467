/** Errors as replies carry them. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ErrorReply, Loss } from "../protocol/messages.ts";
import { InterpreterFailed, LateCodeMissing } from "./bridge.ts";

/** Returns the fields of an error reply for any error. */
export function wireError(error: unknown): Pick<ErrorReply, "name" | "message" | "loss"> {
  const loss = lossBy(error);
  if (error instanceof TreeglassError) {
    return { name: error.name, message: error.message, loss };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { name: "WorkerFailed", message: `The worker failed: ${reason}`, loss };
}

function lossBy(error: unknown): Loss {
  if (!(error instanceof InterpreterFailed)) {
    return "nothing";
  }
  // Nothing is wrong with the worker then, and where a file is missing, its own may be missing too.
  return error.cause instanceof LateCodeMissing ? "interpreter" : "worker";
}
