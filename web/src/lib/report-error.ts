/** The words of errors, and the report of those that listeners throw. */

/** Reports an uncaught error of a listener to the page or the program; the request continues. */
export function reportError(error: unknown): void {
  // In Deno and Bun `reportError` ends the process with all its calls, and Node lacks it.
  if (typeof globalThis.reportError !== "function" || "Deno" in globalThis || "Bun" in globalThis) {
    // biome-ignore lint/suspicious/noConsole: a server has no other place for its errors.
    console.error(error);
  } else {
    globalThis.reportError(error);
  }
}

/** Calls a listener, if there is one; reports an error that it throws. */
export function notify<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event);
  } catch (error) {
    reportError(error);
  }
}

/** Returns the words of a thrown value. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
