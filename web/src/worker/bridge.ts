/** The wheel's bridge, as the worker holds it. */
import { reasonOf } from "../lib/report-error.ts";
import { AssetFault } from "../protocol/asset-files.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ErrorReply, Loss } from "../protocol/messages.ts";

/**
 * Hands a request to a bridge of the wheel and returns its answer; both are JSON text.
 *
 * An interpreter that dies during a call may return anything.
 */
export type Bridge = (requestText: string) => unknown;

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

export function wireError(error: unknown): Pick<ErrorReply, "name" | "message" | "loss"> {
  const loss = lossBy(error);
  if (error instanceof TreeglassError) {
    return { name: error.name, message: error.message, loss };
  }
  return { name: "WorkerFailed", message: `The worker failed: ${reasonOf(error)}`, loss };
}

function lossBy(error: unknown): Loss {
  if (!(error instanceof InterpreterFailed)) {
    return "nothing";
  }
  // Nothing is wrong with the worker then, and where a file is missing, its own may be missing too.
  return error.cause instanceof LateCodeMissing ? "interpreter" : "worker";
}
