/** What a demo does, one call at a time, without anything that is seen of it. */

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
  /** What is the case and what to do. */
  readonly message: string;
}

/** A tree that can be looked at. */
export interface OpenTree {
  readonly client: TreeglassClient;
  readonly mountPath: string;
}

/** Who is asked what to do, and told what happens. */
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

/** What is lost with the worker: only another client helps. */
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

  /** The last answer; null where there is none to show. */
  get result(): ToolResult | null {
    return this.#result;
  }

  /** Whether something can be stopped. */
  get isBusy(): boolean {
    return this.#attempt !== null;
  }

  /**
   * Makes the call, after whatever it needs.
   *
   * Rejects with a `TreeglassError`, or with an abort where it was stopped. Nobody has to catch
   * that: the surroundings hear of a failure as well.
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

  /** Brings the tree up without a call; rejects as `run`, stops nothing, and leaves the answer. */
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

  /** Stops what runs, and goes back to what was there before. */
  stop(): void {
    if (this.#attempt !== null) {
      this.#abort();
      if (this.#lease?.isOpen === false) {
        this.#release();
      }
      this.#rest();
    }
  }

  /** Stops what runs, and forgets the answer; the tree stays at hand. */
  reset(): void {
    this.#result = null;
    this.stop();
    this.#rest();
  }

  /** Stops what runs, and gives the tree back. */
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
        // It may have been stopped between that promise and here.
        attempt.signal.throwIfAborted();
        this.#page.onOpen({ client, mountPath: lease.mountPath });
        return await work(client, attempt.signal, lease.mountPath);
      } catch (error) {
        // Whoever stopped it has said already what comes now.
        attempt.signal.throwIfAborted();
        this.#fail(error, isCall);
        throw error;
      }
    };
    return handled(attempting());
  }

  /** Returns the place that there is, where it is still the right one. */
  #hold(request: MountRequest): Lease {
    if (this.#lease !== null && !isStale(this.#lease, request)) {
      return this.#lease;
    }
    const before = this.#lease;
    this.#lease = this.#mounts.enter(request, (event) => this.#page.onProgress(event));
    // After the other, so that the worker does not end between the two.
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

/** Throws what the client throws for such things, so that `instanceof` says yes to it. */
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

/** Returns a promise whose rejection is nobody's fault: what went wrong is shown. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
