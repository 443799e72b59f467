import { isRecord } from "../lib/checks.ts";
import { isTreeglassErrorKind } from "../protocol/error-kinds.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { RequestParams } from "../protocol/methods.ts";
import { type Bridge, InterpreterFailed } from "./bridge.ts";

/** The parameters of each method of the wheel's bridge; `treeglass.bridge` documents the results. */
export interface BridgeParams
  extends Pick<
    RequestParams,
    "configure" | "unmount" | "listTools" | "describeTools" | "summarizeCall"
  > {
  readonly callTool: RequestParams["callTool"] & {
    /** What earlier runs of the call took, and the waits for what they missed. */
    readonly spentMs?: number;
  };
  readonly checkMount: { readonly path: string; readonly replace: boolean };
  readonly mount: { readonly path: string; readonly host: string; readonly replace: boolean };
  readonly openDecompressor: { readonly format: string };
  readonly decompress: {
    readonly stream: number;
    /** Base64, or null to continue with the bytes that were sent before. */
    readonly compressed: string | null;
    readonly maxBytes: number;
  };
  readonly closeDecompressor: { readonly stream: number };
}

/**
 * Returns the bridge's result.
 *
 * Throws the bridge's refusal as a `TreeglassError`, `TimedOut` after an interrupt, and
 * `InterpreterFailed` if the interpreter has died.
 */
export function askBridge<M extends keyof BridgeParams>(
  bridge: Bridge,
  method: M,
  params: BridgeParams[M],
): unknown {
  const request = toJson({ method, params });
  let answer: unknown;
  try {
    answer = JSON.parse(bridge(request));
  } catch (error) {
    if (error instanceof TreeglassError) {
      throw error;
    }
    if (isRecord(error) && error.type === INTERRUPTED) {
      throw new TreeglassError("TimedOut", "The call was stopped.", { cause: error });
    }
    throw new InterpreterFailed(error);
  }
  if (isRecord(answer) && isRecord(answer.error)) {
    const { kind, message } = answer.error;
    throw new TreeglassError(
      isTreeglassErrorKind(kind) ? kind : "WorkerFailed",
      typeof message === "string" ? message : "The bridge gave no reason.",
    );
  }
  return isRecord(answer) ? answer.result : undefined;
}

/** Python's exception for a signal, by the name that Pyodide's error gives. */
const INTERRUPTED = "KeyboardInterrupt";

/** Throws `BadRequest` for a value that JSON cannot express: a cycle, a BigInt. */
function toJson(request: object): string {
  try {
    return JSON.stringify(request);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TreeglassError("BadRequest", `The request cannot be JSON: ${reason}`, { cause });
  }
}
