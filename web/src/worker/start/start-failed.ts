/** What is said of an interpreter that could not be started. */
import { TreeglassError } from "../../protocol/errors.ts";

/**
 * Returns a `StartFailed` between what was asked and what to do; an error that has words of its own
 * is returned as it is.
 */
export function startFailed(asked: string, cause: unknown, remedy: string): TreeglassError {
  if (cause instanceof TreeglassError) {
    return cause;
  }
  // What the runtime throws reads like a stack trace, and its last line says what it was.
  const lines = String(cause instanceof Error ? cause.message : cause)
    .trim()
    .split("\n");
  return new TreeglassError("StartFailed", `${asked}: ${lines.at(-1)}. ${remedy}`, { cause });
}
