/** What the worker runs, so that a page can stop it. */
import { InterruptCells, nextRun } from "../protocol/interrupts.ts";
import type { Runtime } from "./start/runtime.ts";

/** Requests after which an interrupt that was still on its way has arrived. */
const MAX_SETTLING_REQUESTS = 3;

/** Numbers what runs, and keeps a signal for one run from the next. */
export class InterruptibleRuns {
  #cells: InterruptCells | null = null;
  #run = 0;

  /** Lets whoever has the buffer stop what the runtime runs. */
  setInterruptBuffer(buffer: SharedArrayBuffer | null, runtime: Runtime): void {
    this.#cells = buffer === null ? null : new InterruptCells(buffer);
    runtime.setInterruptBuffer(this.#cells?.signal ?? null);
  }

  /** Returns the number of the run that begins. */
  begin(): number {
    this.#run = nextRun(this.#run);
    this.#cells?.begin(this.#run);
    return this.#run;
  }

  /**
   * Ends the run.
   *
   * Where a signal was given, `ask` is called until it is not interrupted any more: the interpreter
   * may have taken the signal and not acted on it yet.
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
        // The signal has arrived; another one may have been given meanwhile.
      }
    }
  }
}
