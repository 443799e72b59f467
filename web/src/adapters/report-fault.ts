/** Lets a page hear of its own fault where an agent waits for an answer that is to come all the same. */
export function reportFault(error: unknown): void {
  // Node has no such function.
  globalThis.reportError?.(error);
}
