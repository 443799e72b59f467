/** The order in which the requests of one client are posted. */
import type { Call } from "./call.ts";

/** The steps of a request in its turn. */
interface Outcome {
  readonly post: (call: Call) => void;
  readonly drop: (call: Call, error: unknown) => void;
}

/**
 * Gives each request its turn: at once, or after an earlier request whose parameters are still
 * being prepared, or after an earlier mount has settled.
 */
export class Turns {
  readonly #outcome: Outcome;
  /** Settles when the next request may be posted; null if it may be posted at once. */
  #held: Promise<void> | null = null;

  constructor(outcome: Outcome) {
    this.#outcome = outcome;
  }

  enqueue(call: Call): void {
    if (this.#held !== null || call.hasToPrepare) {
      this.#hold(this.#takeAfter(this.#held, call));
    } else {
      this.#take(call);
      if (call.method === "mount") {
        this.#hold(call.result);
      }
    }
  }

  async #takeAfter(held: Promise<void> | null, call: Call): Promise<void> {
    await held;
    try {
      await call.prepare();
      this.#take(call);
    } catch (error) {
      this.#outcome.drop(call, error);
    }
    // The worker undoes an abandoned mount only when it hears of it, and would run requests before.
    if (call.method === "mount") {
      await call.result;
    }
  }

  #take(call: Call): void {
    call.takeTurn();
    this.#outcome.post(call);
  }

  #hold(until: Promise<unknown>): void {
    const release = () => {
      if (this.#held === held) {
        this.#held = null;
      }
    };
    const held = until.then(release, release);
    this.#held = held;
  }
}
