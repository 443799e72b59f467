/** The wheel's bridge, as the worker holds it. */
import { AssetFault } from "../protocol/asset-files.ts";
import { TreeglassError } from "../protocol/errors.ts";

/** Hands a request to a bridge of the wheel and returns its answer; both are JSON text. */
export type Bridge = (requestText: string) => string;

/** A function of the interpreter was called, and the file that has it is missing or damaged. */
export class LateCodeMissing extends AssetFault {
  /** For a caller; the message is a clause, as that of every `AssetFault`. */
  readonly sentence: string;

  constructor(message: string, sentence: string, cause: unknown) {
    super(message, { cause });
    this.sentence = sentence;
  }
}

/** The interpreter died: every later request to it fails too. */
export class InterpreterFailed extends TreeglassError {
  constructor(cause: unknown) {
    const message =
      cause instanceof LateCodeMissing ? cause.sentence : "The Python interpreter failed.";
    super("WorkerFailed", message, { cause });
  }
}
