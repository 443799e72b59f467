import { fromBase64, toBase64 } from "../lib/base64.ts";
import { isRecord } from "../lib/checks.ts";
import { reasonOf } from "../lib/report-error.ts";
import type { Changes, ExportedChanges } from "../protocol/changes.ts";
import { TreeglassError, type TreeglassErrorName } from "../protocol/errors.ts";
import type { Decided, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { Decompressor, DecompressorFormat } from "../sources/source-context.ts";
import { type Bridge, InterpreterFailed } from "./bridge.ts";

/** Methods whose parameters and results the worker hands on as they are. */
export type PassedMethod =
  | "summarizeCall"
  | "listEntries"
  | "diffChange"
  | "rejectChange"
  | "undoChange"
  | "redoChange"
  | "discardChanges";

export interface BridgeParams
  extends Omit<RequestParams, "start" | "callTool" | "mount" | "restoreState"> {
  readonly callTool: RequestParams["callTool"] & {
    /** The time of earlier runs of the call, and of the waits for what they missed. */
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
  /** Base64. */
  readonly restoreState: { readonly state: string };
}

export interface BridgeResults extends Pick<RequestResults, PassedMethod> {
  readonly configure: object;
  readonly unmount: object;
  readonly listTools: { readonly tools: RequestResults["listTools"] };
  readonly describeTools: { readonly tools: RequestResults["describeTools"] };
  readonly callTool: RequestResults["callTool"] & {
    readonly ranOutOfMemory?: boolean;
  };
  readonly readFile: {
    /** Base64. */
    readonly base64: string;
    readonly sizeBytes: number;
  };
  readonly checkMount: object;
  readonly mount: object;
  readonly openDecompressor: { readonly stream: number };
  readonly decompress: {
    /** Base64. */
    readonly inflated: string;
    readonly needsInput: boolean;
    readonly isComplete: boolean;
  };
  readonly closeDecompressor: object;
  readonly takeNotes: { readonly notes: readonly string[] };
  readonly changes: Changes;
  readonly keepChange: Decided;
  /** The exported content in its format; a patch is UTF-8. */
  readonly exportChanges:
    | { readonly base64: string }
    | { readonly manifest: ExportedChanges["manifest"] };
  /** Base64. */
  readonly saveState: { readonly state: string };
  readonly restoreState: Decided;
}

/** The beginning of a text of the bridge that is no mistake of the page. */
const RESULT = '{"result":';

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
): BridgeResults[M] {
  return JSON.parse(askForJson(bridge, method, params));
}

/** Returns the bridge's result as JSON; else as `askBridge`. */
export function askForJson<M extends keyof BridgeParams>(
  bridge: Bridge,
  method: M,
  params: BridgeParams[M],
): string {
  const request = toJson({ method, params });
  let answer: unknown;
  try {
    answer = bridge(request);
  } catch (error) {
    if (error instanceof TreeglassError) {
      throw error;
    }
    if (isRecord(error) && error.type === INTERRUPTED) {
      throw new TreeglassError("TimedOut", "The call was stopped.", { cause: error });
    }
    throw new InterpreterFailed(error);
  }
  if (typeof answer !== "string") {
    throw new InterpreterFailed(new TypeError(`the bridge answered with a ${typeof answer}`));
  }
  if (answer.startsWith(RESULT)) {
    return answer.slice(RESULT.length, -1);
  }
  const { error }: BridgeRefusal = JSON.parse(answer);
  throw new TreeglassError(error.name, error.message);
}

interface BridgeRefusal {
  readonly error: { readonly name: TreeglassErrorName; readonly message: string };
}

/** Python's exception for a signal, by the name that Pyodide's error gives. */
const INTERRUPTED = "KeyboardInterrupt";

/** Throws `BadRequest` for a value that JSON cannot express: a cycle, a BigInt. */
function toJson(request: object): string {
  try {
    return JSON.stringify(request);
  } catch (cause) {
    const message = `The request cannot be JSON: ${reasonOf(cause)}`;
    throw new TreeglassError("BadRequest", message, { cause });
  }
}

/** Opens a decompressor in the interpreter; bytes cross as base64, since the bridge takes text. */
export function openBridgeDecompressor(bridge: Bridge, format: DecompressorFormat): Decompressor {
  const { stream } = askBridge(bridge, "openDecompressor", { format });
  let state = { needsInput: true, isComplete: false };
  let compressed: string | null = null;
  return {
    push(bytes) {
      compressed = toBase64(bytes);
      state = { needsInput: false, isComplete: false };
    },
    pull(maxBytes) {
      const params = { stream, compressed, maxBytes };
      compressed = null;
      const { inflated, ...after } = askBridge(bridge, "decompress", params);
      state = after;
      return fromBase64(inflated);
    },
    get needsInput() {
      return state.needsInput;
    },
    get isComplete() {
      return state.isComplete;
    },
    close() {
      askBridge(bridge, "closeDecompressor", { stream });
    },
  };
}
