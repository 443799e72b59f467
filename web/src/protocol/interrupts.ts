/** How a page stops what the interpreter runs, over memory that both see. */

/** What Python takes for Ctrl+C. */
const SIGINT = 2;
/** The interpreter polls the lowest byte of the first cell; the run is above it. */
const RUN_SHIFT_BITS = 8;
const LAST_RUN = 0x7f_ffff;
const CELL_BYTES = 4;

/** Returns the number of the run after another; numbers come back after eight million runs. */
export function nextRun(run: number): number {
  return (run % LAST_RUN) + 1;
}

/**
 * Two cells: what runs, with the signal for it in its lowest byte; and which run a signal was for.
 *
 * Signal and run are one cell, so that a signal that comes too late finds another run there and is
 * not given. The interpreter clears the signal when it takes it, and may clear one that it has not
 * seen: whoever waits for an effect asks again.
 */
export class InterruptCells {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(2 * CELL_BYTES)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
  }

  /** What the interpreter polls. */
  get signal(): Uint8Array {
    return new Uint8Array(this.buffer, 0, 1);
  }

  /** Says what runs from now on. */
  begin(run: number): void {
    Atomics.store(this.#cells, 0, run << RUN_SHIFT_BITS);
  }

  /** Says that nothing runs any more; returns whether a signal was given for the run. */
  end(run: number): boolean {
    Atomics.store(this.#cells, 0, 0);
    return Atomics.load(this.#cells, 1) === run;
  }

  /** Gives the signal for a run; does nothing where that runs no longer. */
  interrupt(run: number): void {
    Atomics.store(this.#cells, 1, run);
    const running = run << RUN_SHIFT_BITS;
    Atomics.compareExchange(this.#cells, 0, running, running | SIGINT);
  }
}
