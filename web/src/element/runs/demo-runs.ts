/** Runs the calls of one demo, one at a time; draws nothing. */
import type { TimedProgressEvent, ToolResult, TreeglassClient } from "../../index.ts";
import { orAborted } from "../../lib/promises.ts";
import { Problem } from "../attributes.ts";
import type { DemoCall, MountRequest, OpenTree } from "./demo-call.ts";
import { loadClientModule } from "./late-modules.ts";
import type { MountShare, SharedMounts } from "./shared-mounts.ts";

/**
 * `static`: no call has run, or the demo was reset; `starting`: the tools load or the tree is being
 * mounted; `running`: the tool runs; `answered`: `result` is set, perhaps to a tool's error;
 * `failed`: the call could not be made.
 */
export type DemoState = "static" | "starting" | "running" | "answered" | "failed";

/** Why a call could not be made. */
export interface DemoFailure {
  /** The name of the `TreeglassError`. */
  readonly name: string;
  /** Says what went wrong and what to do. */
  readonly message: string;
}

/** Gives a demo's call and mount to its runs, and receives their events. */
export interface RunCallbacks {
  readonly readMountRequest: () => MountRequest | Problem;
  readonly readCall: () => DemoCall | Problem;
  readonly onState: (state: DemoState) => void;
  readonly onProgress: (event: TimedProgressEvent) => void;
  /** The tree is mounted; it may be the same as before. */
  readonly onOpen: (tree: OpenTree) => void;
  readonly onAnswer: (call: DemoCall, result: ToolResult) => void;
  readonly onFailure: (failure: DemoFailure) => void;
}

/** Kinds of errors after which the client or its mount is lost: only a new client helps. */
const LOST_NAMES: readonly string[] = ["WorkerFailed", "Closed", "SourceUnreadable"];

export class DemoRuns {
  #state: DemoState = "static";
  #result: ToolResult | null = null;
  #attempt: AbortController | null = null;
  #share: MountShare | null = null;
  readonly #mounts: SharedMounts;
  readonly #callbacks: RunCallbacks;

  constructor(mounts: SharedMounts, callbacks: RunCallbacks) {
    this.#mounts = mounts;
    this.#callbacks = callbacks;
  }

  get state(): DemoState {
    return this.#state;
  }

  get result(): ToolResult | null {
    return this.#result;
  }

  /** True if a start or a call is under way, which `stop` would end. */
  get isBusy(): boolean {
    return this.#attempt !== null;
  }

  /**
   * Makes the call; loads the tools and mounts the tree first, if needed.
   *
   * Rejects with a `TreeglassError`, or with an abort if the call was stopped. Callers need not
   * catch either: `onFailure` reports a failure as well.
   */
  run(): Promise<ToolResult> {
    const call = this.#callbacks.readCall();
    const request = call instanceof Problem ? call : this.#callbacks.readMountRequest();
    return this.#attemptWith(request, { isCall: true }, async (client, signal) => {
      const checked = await orRefused(call);
      signal.throwIfAborted();
      this.#enter("running");
      const { tool, arguments: args, maxOutputBytes } = checked;
      const budget = maxOutputBytes === undefined ? {} : { maxOutputBytes };
      const result = await client.callTool(tool, args, { signal, ...budget });
      signal.throwIfAborted();
      if (result.error?.kind === "UnknownTool") {
        // No reader can choose another tool.
        await orRefused(
          new Problem(
            `${result.content}. Give the attribute tool the name of a tool that the demo's configuration offers, such as list_dir.`,
          ),
        );
      }
      this.#attempt = null;
      this.#result = result;
      this.#enter("answered");
      this.#callbacks.onAnswer(checked, result);
      return result;
    });
  }

  /**
   * Mounts the tree without a call, unless it is mounted or a run is mounting it.
   *
   * Rejects as `run` does. Stops nothing, and keeps the answer.
   */
  open(): Promise<OpenTree> {
    const request = this.#callbacks.readMountRequest();
    const share = this.#share;
    if (share !== null && (this.isBusy || (share.isOpen && !isStale(share, request)))) {
      return handled(share.client.then((client) => ({ client, mountPath: share.mountPath })));
    }
    return this.#attemptWith(request, { isCall: false }, async (client, _, mountPath) => {
      this.#attempt = null;
      this.#rest();
      return { client, mountPath };
    });
  }

  /** Stops the start or the call, and returns to the state before it. */
  stop(): void {
    if (this.#attempt !== null) {
      this.#abort();
      if (this.#share?.isOpen === false) {
        this.#release();
      }
      this.#rest();
    }
  }

  /** Stops the start or the call, and drops the answer; a mounted tree stays mounted. */
  reset(): void {
    this.#result = null;
    this.stop();
    this.#rest();
  }

  leave(): void {
    this.stop();
    this.#release();
  }

  #attemptWith<Value>(
    request: MountRequest | Problem,
    { isCall }: { readonly isCall: boolean },
    work: (client: TreeglassClient, signal: AbortSignal, mountPath: string) => Promise<Value>,
  ): Promise<Value> {
    this.#abort();
    const attempt = new AbortController();
    this.#attempt = attempt;
    const found = request instanceof Problem ? request : this.#shareFor(request);
    const isMounted = !(found instanceof Problem) && found.isOpen;
    this.#enter(isMounted ? "running" : "starting");
    const attempting = async () => {
      try {
        const share = await orRefused(found);
        const client = await orAborted(share.client, attempt.signal);
        // The attempt may be stopped after that promise settles and before this line runs.
        attempt.signal.throwIfAborted();
        this.#callbacks.onOpen({ client, mountPath: share.mountPath });
        return await work(client, attempt.signal, share.mountPath);
      } catch (error) {
        // The method that stopped the attempt has entered the next state already.
        attempt.signal.throwIfAborted();
        this.#fail(error, isCall);
        throw error;
      }
    };
    return handled(attempting());
  }

  /** Returns the demo's share in the requested mount; keeps the present share if it still fits. */
  #shareFor(request: MountRequest): MountShare {
    if (this.#share !== null && !isStale(this.#share, request)) {
      return this.#share;
    }
    const before = this.#share;
    this.#share = this.#mounts.join(request, (event) => this.#callbacks.onProgress(event));
    // Released only now, so that the worker does not end between the two shares.
    before?.release();
    return this.#share;
  }

  #fail(error: unknown, isCall: boolean): void {
    const failure = describeFailure(error);
    this.#attempt = null;
    if (isCall) {
      this.#result = null;
    }
    if (LOST_NAMES.includes(failure.name)) {
      this.#share?.markLost();
    }
    if (this.#share?.isEnded === true) {
      this.#release();
    }
    this.#enter(this.#result === null ? "failed" : "answered");
    this.#callbacks.onFailure(failure);
  }

  #abort(): void {
    this.#attempt?.abort();
    this.#attempt = null;
  }

  #release(): void {
    this.#share?.release();
    this.#share = null;
  }

  #rest(): void {
    this.#enter(this.#result === null ? "static" : "answered");
  }

  #enter(state: DemoState): void {
    if (this.#state !== state) {
      this.#state = state;
      this.#callbacks.onState(state);
    }
  }
}

function isStale(share: MountShare, request: MountRequest | Problem): boolean {
  return share.isEnded || request instanceof Problem || share.key !== request.key;
}

/** Throws a problem as the client's own error, so that `instanceof TreeglassError` is true. */
async function orRefused<Value>(value: Value | Problem): Promise<Value> {
  if (value instanceof Problem) {
    const { TreeglassError } = await loadClientModule();
    throw new TreeglassError("BadRequest", value.sentence);
  }
  return value;
}

function describeFailure(error: unknown): DemoFailure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message };
}

/** Returns the promise, marked as handled: its failure is shown, so a caller need not catch it. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
