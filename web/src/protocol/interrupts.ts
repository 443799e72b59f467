/** Stopping a run of the interpreter over memory that page and worker share. */

/** Python treats this signal as Ctrl+C. */
const SIGINT = 2;
/** The interpreter polls the lowest byte of the first cell; the upper bytes hold the run. */
const RUN_SHIFT_BITS = 8;
const LAST_RUN = 0x7f_ffff;
const CELL_BYTES = 4;

/** Returns the number of the next run; numbers repeat after eight million runs. */
export function nextRun(run: number): number {
  return (run % LAST_RUN) + 1;
}

/**
 * Two cells: the present run with its signal in the lowest byte, and the run of the last signal.
 *
 * Run and signal share a cell, so that a late signal finds another run there and is not given. The
 * interpreter clears the signal when it takes it, and may clear one that it has not seen: a page
 * that waits for the effect signals again.
 */
export class InterruptCells {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(2 * CELL_BYTES)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
  }

  /** The byte that the interpreter polls. */
  get signal(): Uint8Array {
    return new Uint8Array(this.buffer, 0, 1);
  }

  begin(run: number): void {
    Atomics.store(this.#cells, 0, run << RUN_SHIFT_BITS);
  }

  /** Notes that the run has ended; returns whether it was signalled. */
  end(run: number): boolean {
    Atomics.store(this.#cells, 0, 0);
    return Atomics.load(this.#cells, 1) === run;
  }

  /** Signals a run; does nothing if the run has ended. */
  interrupt(run: number): void {
    Atomics.store(this.#cells, 1, run);
    const running = run << RUN_SHIFT_BITS;
    Atomics.compareExchange(this.#cells, 0, running, running | SIGINT);
  }
}
