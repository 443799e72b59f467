/** Runs tasks one at a time: the interpreter is not re-entrant. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs a task when all earlier tasks have settled. */
  enqueue(task: () => Promise<void> | void): void {
    // A task reports its own failure; later tasks must still run.
    this.#last = this.#last.then(task).catch(() => undefined);
  }
}
