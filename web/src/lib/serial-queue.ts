/** One thing after the other, whoever asked for it: the interpreter does no two at once. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs a task when all that were taken before are done, whatever became of them. */
  enqueue(task: () => Promise<void> | void): void {
    // What fails here is a task that nobody waits for; those that come after must still run.
    this.#last = this.#last.then(task).catch(() => undefined);
  }
}
