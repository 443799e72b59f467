import { isRecord } from "../lib/checks.ts";
import { isTreeglassErrorKind } from "../protocol/error-kinds.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type {
  CallToolParams,
  DescribeToolsParams,
  Settings,
  SummarizeCallParams,
} from "../protocol/messages.ts";
import { type Bridge, InterpreterFailed } from "./bridge.ts";

/** What the wheel's bridge is asked; its answers are described there. */
interface BridgeParams {
  readonly configure: Settings;
  readonly checkMount: { readonly path: string; readonly replace: boolean };
  readonly mount: { readonly path: string; readonly host: string; readonly replace: boolean };
  readonly unmount: { readonly path: string };
  readonly listTools: Readonly<Record<string, never>>;
  readonly describeTools: DescribeToolsParams;
  readonly summarizeCall: SummarizeCallParams;
  readonly callTool: CallToolParams;
  readonly openDecompressor: { readonly format: string };
  readonly decompress: {
    readonly stream: number;
    /** Base64, or null to go on with what was given before. */
    readonly compressed: string | null;
    readonly maxBytes: number;
  };
  readonly closeDecompressor: { readonly stream: number };
}

/**
 * Returns the bridge's result.
 *
 * Throws a `TreeglassError` where the bridge refuses, `TimedOut` where it was interrupted, and
 * `InterpreterFailed` where there is none any more.
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

/** A message may hold what JSON may not: a cycle, a BigInt. */
function toJson(request: object): string {
  try {
    return JSON.stringify(request);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TreeglassError("BadRequest", `The request cannot be JSON: ${reason}`, { cause });
  }
}
