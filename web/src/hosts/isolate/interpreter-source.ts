/** Where the interpreter of an isolate comes from. */
import { startFailed } from "../../worker/start/start-failed.ts";
import type { Interpreter } from "./interpreter.ts";

/** Gives the interpreter of the isolate, and another one once that has died. */
export interface InterpreterSource {
  /** Rejects with `StartFailed`. */
  get(): Promise<Interpreter>;
  /** Lets go of one that died, so that the next `get` starts another; once there is one, nothing. */
  discard(interpreter: Interpreter): void;
}

/**
 * One interpreter for all who ask, which the first of them starts.
 *
 * A start waits for nothing but what is there, so that it is over before any other request has its
 * turn: a request that is given up cannot leave a start behind that others wait for in vain. One
 * that failed is not kept.
 */
export class SharedInterpreter implements InterpreterSource {
  readonly #start: () => Promise<Interpreter>;
  #starting: Promise<Interpreter> | null = null;
  #started: Interpreter | null = null;

  constructor(start: () => Promise<Interpreter>) {
    this.#start = start;
  }

  async get(): Promise<Interpreter> {
    const joined = this.#starting ?? this.#start();
    this.#starting = joined;
    try {
      const interpreter = await joined;
      if (this.#starting === joined) {
        this.#started = interpreter;
      }
      return interpreter;
    } catch (error) {
      if (this.#starting === joined) {
        this.#starting = null;
      }
      throw startFailed(
        "The interpreter could not be started in this Worker",
        error,
        "Bundle the files of the package as they were published, with a workerd of about their age.",
      );
    }
  }

  discard(interpreter: Interpreter): void {
    // Whoever waited meanwhile finds out late, when another one is there and well.
    if (this.#started === interpreter) {
      this.#started = null;
      this.#starting = null;
    }
  }
}
