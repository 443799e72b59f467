/** Stopping a run of the interpreter over memory that page and worker share. */

/** Python treats this signal as Ctrl+C. */
const SIGINT = 2;
/** The interpreter polls the lowest byte of the first cell; the upper bytes hold the run. */
const RUN_SHIFT_BITS = 8;
const RUNS = 0x7f_ffff;
const CELL_BYTES = 4;

/**
 * Two cells: the present run with its signal in the lowest byte, and the run of the last signal.
 *
 * A run is that of a request, by whose id it is known. Run and signal share a cell, so that a late
 * signal finds another run there and is not given. The interpreter clears the signal when it takes
 * it, and may clear one that it has not seen: a page that waits for the effect signals again.
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

  begin(id: number): void {
    Atomics.store(this.#cells, 0, runOf(id) << RUN_SHIFT_BITS);
  }

  /** Notes that the run has ended; returns whether it was signalled. */
  end(id: number): boolean {
    Atomics.store(this.#cells, 0, 0);
    return Atomics.load(this.#cells, 1) === runOf(id);
  }

  /** Signals a run; does nothing if the run has not begun, or has ended. */
  interrupt(id: number): void {
    Atomics.store(this.#cells, 1, runOf(id));
    const running = runOf(id) << RUN_SHIFT_BITS;
    Atomics.compareExchange(this.#cells, 0, running, running | SIGINT);
  }
}

/** Returns a number from 1 on that fits its cell; it repeats after eight million requests. */
function runOf(id: number): number {
  return (id % RUNS) + 1;
}
