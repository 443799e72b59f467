/** Starts the interpreter of an isolate, and replaces one that died. */
import { startFailed } from "../../worker/start/start-failed.ts";
import type { Interpreter } from "./interpreter.ts";

export interface InterpreterSource {
  /** Returns the isolate's interpreter, started if necessary; rejects with `StartFailed`. */
  get(): Promise<Interpreter>;
  /** Forgets an interpreter that died, so that the next `get` starts another. Repeatable. */
  discard(interpreter: Interpreter): void;
}

/**
 * One interpreter for all clients, started by the first.
 *
 * A start does no I/O, so it ends before another request runs: an abandoned request cannot leave
 * an unfinished start behind, on which others would wait forever. A failed start is not kept.
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
    // A client may report the death late, when another interpreter is already running.
    if (this.#started === interpreter) {
      this.#started = null;
      this.#starting = null;
    }
  }
}
