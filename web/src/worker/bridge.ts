/** The wheel's bridge, as the worker holds it. */
import { TreeglassError } from "../protocol/errors.ts";

/** Hands a request to a bridge of the wheel and returns its answer; both are JSON text. */
export type Bridge = (requestText: string) => string;

/** The interpreter died: every later request to it fails too. */
export class InterpreterFailed extends TreeglassError {
  constructor(cause: unknown) {
    super("WorkerFailed", "The Python interpreter failed.", { cause });
  }
}
