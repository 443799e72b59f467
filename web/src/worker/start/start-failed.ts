/** The error of an interpreter that could not be started. */
import { TreeglassError } from "../../protocol/errors.ts";

/**
 * Returns a `StartFailed` that joins the attempt, its cause and the remedy.
 *
 * A `TreeglassError` is returned unchanged, since it has its own message.
 */
export function startFailed(asked: string, cause: unknown, remedy: string): TreeglassError {
  if (cause instanceof TreeglassError) {
    return cause;
  }
  // The runtime's errors are stack traces, and the last line names the fault.
  const lines = String(cause instanceof Error ? cause.message : cause)
    .trim()
    .split("\n");
  return new TreeglassError("StartFailed", `${asked}: ${lines.at(-1)}. ${remedy}`, { cause });
}
