/** Runs a demo, one call at a time; draws nothing. */

import type { TimedProgressEvent, ToolResult, TreeglassClient } from "../index.ts";
import { orAborted } from "../lib/or-aborted.ts";
import { Problem } from "./attributes.ts";
import { loadClientModule } from "./client-module.ts";
import type { DemoCall, MountRequest } from "./demo-call.ts";
import type { Lease, SharedMounts } from "./shared-mounts.ts";

/**
 * `static`: nothing has run, or the demo was reset; `starting`: the tools load or the tree is
 * mounted; `running`: the tool runs; `answered`: with `result`, which may be a tool's error;
 * `failed`: the call could not be made.
 */
export type DemoState = "static" | "starting" | "running" | "answered" | "failed";

/** Why a call could not be made. */
export interface DemoFailure {
  /** A `TreeglassErrorKind`. */
  readonly kind: string;
  /** The cause and the cure. */
  readonly message: string;
}

/** A mounted tree. */
export interface OpenTree {
  readonly client: TreeglassClient;
  readonly mountPath: string;
}

/** Supplies the call of a run, and listens to its events. */
export interface RunSurroundings {
  readonly readMountRequest: () => MountRequest | Problem;
  readonly readCall: () => DemoCall | Problem;
  readonly onState: (state: DemoState) => void;
  readonly onProgress: (event: TimedProgressEvent) => void;
  /** The tree is there, perhaps the same as before. */
  readonly onOpen: (tree: OpenTree) => void;
  readonly onAnswer: (call: DemoCall, result: ToolResult) => void;
  readonly onFailure: (failure: DemoFailure) => void;
}

/** Failures that only another client can cure. */
const LOSSES: readonly string[] = ["WorkerFailed", "Closed", "SourceUnreadable"];

/** Runs the calls of one demo; a later one stops the one before. */
export class DemoRuns {
  #state: DemoState = "static";
  #result: ToolResult | null = null;
  #attempt: AbortController | null = null;
  #lease: Lease | null = null;
  readonly #mounts: SharedMounts;
  readonly #page: RunSurroundings;

  constructor(mounts: SharedMounts, page: RunSurroundings) {
    this.#mounts = mounts;
    this.#page = page;
  }

  get state(): DemoState {
    return this.#state;
  }

  /** The last answer, or null. */
  get result(): ToolResult | null {
    return this.#result;
  }

  /** Whether a run can be stopped. */
  get isBusy(): boolean {
    return this.#attempt !== null;
  }

  /**
   * Makes the call, after it has started the tools and mounted the tree.
   *
   * Rejects with a `TreeglassError`, or with an abort if it was stopped. The caller need not catch
   * it: the listener is notified of a failure too.
   */
  run(): Promise<ToolResult> {
    const call = this.#page.readCall();
    const request = call instanceof Problem ? call : this.#page.readMountRequest();
    return this.#attemptTo(request, { isCall: true }, async (client, signal) => {
      const checked = await orRefused(call);
      signal.throwIfAborted();
      this.#enter("running");
      const { tool, arguments: args, maxOutputBytes } = checked;
      const budget = maxOutputBytes === undefined ? {} : { maxOutputBytes };
      const result = await client.callTool(tool, args, { signal, ...budget });
      signal.throwIfAborted();
      this.#attempt = null;
      this.#result = result;
      this.#enter("answered");
      this.#page.onAnswer(checked, result);
      return result;
    });
  }

  /** Mounts the tree without a call; rejects as `run`, stops nothing, and keeps the answer. */
  open(): Promise<OpenTree> {
    const request = this.#page.readMountRequest();
    const lease = this.#lease;
    if (lease !== null && (this.isBusy || (lease.isOpen && !isStale(lease, request)))) {
      return handled(lease.client.then((client) => ({ client, mountPath: lease.mountPath })));
    }
    return this.#attemptTo(request, { isCall: false }, async (client, _, mountPath) => {
      this.#attempt = null;
      this.#rest();
      return { client, mountPath };
    });
  }

  /** Stops the run, and returns to the state before it. */
  stop(): void {
    if (this.#attempt !== null) {
      this.#abort();
      if (this.#lease?.isOpen === false) {
        this.#release();
      }
      this.#rest();
    }
  }

  /** Stops the run, and drops the answer; the tree stays mounted. */
  reset(): void {
    this.#result = null;
    this.stop();
    this.#rest();
  }

  /** Stops the run, and releases the tree. */
  leave(): void {
    this.stop();
    this.#release();
  }

  #attemptTo<Value>(
    request: MountRequest | Problem,
    { isCall }: { readonly isCall: boolean },
    work: (client: TreeglassClient, signal: AbortSignal, mountPath: string) => Promise<Value>,
  ): Promise<Value> {
    this.#abort();
    const attempt = new AbortController();
    this.#attempt = attempt;
    const held = request instanceof Problem ? request : this.#hold(request);
    const isAtHand = !(held instanceof Problem) && held.isOpen;
    this.#enter(isAtHand ? "running" : "starting");
    const attempting = async () => {
      try {
        const lease = await orRefused(held);
        const client = await orAborted(lease.client, attempt.signal);
        // It may have been stopped since that promise resolved.
        attempt.signal.throwIfAborted();
        this.#page.onOpen({ client, mountPath: lease.mountPath });
        return await work(client, attempt.signal, lease.mountPath);
      } catch (error) {
        // The method that stopped it has set the state already.
        attempt.signal.throwIfAborted();
        this.#fail(error, isCall);
        throw error;
      }
    };
    return handled(attempting());
  }

  /** Returns the present lease if it is for the same mount. */
  #hold(request: MountRequest): Lease {
    if (this.#lease !== null && !isStale(this.#lease, request)) {
      return this.#lease;
    }
    const before = this.#lease;
    this.#lease = this.#mounts.enter(request, (event) => this.#page.onProgress(event));
    // After the new lease, so that the worker does not end between the two.
    before?.release();
    return this.#lease;
  }

  #fail(error: unknown, isCall: boolean): void {
    const failure = describeFailure(error);
    this.#attempt = null;
    if (isCall) {
      this.#result = null;
    }
    if (LOSSES.includes(failure.kind)) {
      this.#lease?.forget();
    }
    if (this.#lease?.isOver === true) {
      this.#release();
    }
    this.#enter(this.#result === null ? "failed" : "answered");
    this.#page.onFailure(failure);
  }

  #abort(): void {
    this.#attempt?.abort();
    this.#attempt = null;
  }

  #release(): void {
    this.#lease?.release();
    this.#lease = null;
  }

  #rest(): void {
    this.#enter(this.#result === null ? "static" : "answered");
  }

  #enter(state: DemoState): void {
    if (this.#state !== state) {
      this.#state = state;
      this.#page.onState(state);
    }
  }
}

function isStale(lease: Lease, request: MountRequest | Problem): boolean {
  return lease.isOver || request instanceof Problem || lease.key !== request.key;
}

/** Throws the client's own error class, so that `instanceof` works. */
async function orRefused<Value>(value: Value | Problem): Promise<Value> {
  if (value instanceof Problem) {
    const { TreeglassError } = await loadClientModule();
    throw new TreeglassError("BadRequest", value.sentence);
  }
  return value;
}

function describeFailure(error: unknown): DemoFailure {
  const message = error instanceof Error ? error.message : String(error);
  const kind = error instanceof Error && "kind" in error ? String(error.kind) : "StartFailed";
  return { kind, message };
}

/** Returns a promise whose rejection may stay unhandled: the failure is shown. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
