/** Faults of whoever listens, which nobody who waits for an answer has to suffer for. */

/** Lets a page or a program hear of its own fault, while what it was told of goes on. */
export function reportError(error: unknown): void {
  // In Deno and Bun it ends the process, and with it the calls of everybody else; Node has none.
  if (typeof globalThis.reportError !== "function" || "Deno" in globalThis || "Bun" in globalThis) {
    // biome-ignore lint/suspicious/noConsole: a server has no other place for its faults.
    console.error(error);
  } else {
    globalThis.reportError(error);
  }
}

/** Tells a listener, if there is one; what it throws is reported, and stays its own affair. */
export function tell<Told>(listener: ((told: Told) => void) | undefined, told: Told): void {
  try {
    listener?.(told);
  } catch (error) {
    reportError(error);
  }
}
