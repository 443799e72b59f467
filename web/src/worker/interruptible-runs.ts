/** The runs of the worker, numbered so that a page can stop one. */
import { InterruptCells, nextRun } from "../protocol/interrupts.ts";
import type { Runtime } from "./start/runtime.ts";

/** After this many short requests, a late interrupt has arrived. */
const MAX_SETTLING_REQUESTS = 3;

/** Numbers the runs, and keeps the signal for one run away from the next. */
export class InterruptibleRuns {
  #cells: InterruptCells | null = null;
  #run = 0;

  setInterruptBuffer(buffer: SharedArrayBuffer | null, runtime: Runtime): void {
    this.#cells = buffer === null ? null : new InterruptCells(buffer);
    runtime.setInterruptBuffer(this.#cells?.signal ?? null);
  }

  begin(): number {
    this.#run = nextRun(this.#run);
    this.#cells?.begin(this.#run);
    return this.#run;
  }

  /**
   * Ends the run.
   *
   * After a signal, calls `ask` until that is not interrupted: the interpreter may have taken the
   * signal without acting on it yet.
   */
  end(ask: () => void): void {
    if (!this.#cells?.end(this.#run)) {
      return;
    }
    for (let asked = 0; asked < MAX_SETTLING_REQUESTS; asked += 1) {
      try {
        ask();
        return;
      } catch {
        // The signal has arrived; the page may have given another one meanwhile.
      }
    }
  }
}
