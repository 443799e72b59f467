/** Lets a page hear of its own fault where an agent waits for an answer that is to come all the same. */
export function reportFault(error: unknown): void {
  // In Deno and Bun it ends the process, and with it the calls of everybody else; Node has none.
  if (typeof globalThis.reportError !== "function" || "Deno" in globalThis || "Bun" in globalThis) {
    // biome-ignore lint/suspicious/noConsole: a server has no other place for its faults.
    console.error(error);
  } else {
    globalThis.reportError(error);
  }
}
