/**
 * The report of a start.
 *
 * Published types name it, so no type here needs a browser.
 */

/** A step of a start. */
export interface StartPhase {
  /**
   * `fetch`: start.json and the image's files arrive, and are checked and compiled; `worker`: the
   * worker's module loads; `load`: Pyodide's modules load; `interpreter`: an interpreter starts;
   * `restore`: the image replaces its memory; `packages`: the wheels are imported; `configure`: the
   * bridge is made and configured. The first two run at the same time.
   */
  readonly name: "fetch" | "worker" | "load" | "interpreter" | "restore" | "packages" | "configure";
  /** The beginning, in milliseconds since `connect()`; in messages of the worker, since 1970. */
  readonly startedMs: number;
  readonly elapsedMs: number;
}

/** The way the tools started, and the time that it took. */
export interface StartReport {
  /** From the memory image or by importing the packages; the tools return the same results. */
  readonly way: "image" | "packages";
  /** Why the image was not used; null if it was. */
  readonly reason: string | null;
  readonly phases: readonly StartPhase[];
  /** From `connect()` until the client was ready, in milliseconds. */
  readonly elapsedMs: number;
}
