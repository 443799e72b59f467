/** Performs one client's requests; the caller keeps them in order. */
import { isRecord, isStringList } from "../lib/checks.ts";
import type {
  CallToolParams,
  Method,
  MountParams,
  RequestParams,
  WorkerMethod,
} from "../protocol/methods.ts";
import type { MountReport, ProgressEvent } from "../protocol/mount-report.ts";
import { openSource } from "../sources/open-source.ts";
import type { BlobTaker, Checkpoint, SourceHost } from "../sources/source-context.ts";
import type { Bridge } from "./bridge.ts";
import { askBridge, type BridgeParams } from "./bridge-client.ts";
import { openBridgeDecompressor } from "./bridge-decompressor.ts";
import { ClientMounts } from "./client-mounts.ts";
import { MountedTrees } from "./mounted-trees.ts";
import type { Runtime } from "./start/runtime.ts";
import { MALFORMED } from "./wire-error.ts";

const REPLACED_AFTER = "The interpreter is replaced after this answer, which frees its memory.";

/** A request without its message envelope. */
export type PerformedRequest = {
  readonly [M in Method]: {
    readonly id: number;
    readonly method: M;
    readonly params: RequestParams[M];
  };
}[Method];

/** What goes along with one request. */
export interface RequestContext {
  /** Aborted when the caller abandons the request. */
  readonly signal: AbortSignal;
  readonly report: (event: ProgressEvent) => void;
}

/** What a performer needs of its worker. */
export interface PerformerContext {
  readonly host: SourceHost;
  readonly takeBlob: BlobTaker;
  /** Returns an internal directory that no tree of any client had before. */
  nextDirectory(): string;
  /** Returns what a source awaits between its entries. */
  checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint;
}

interface NumberedContext extends RequestContext {
  readonly id: number;
}

/** The handler of each method that goes over a client's port. */
type Handlers = {
  readonly [M in Exclude<Method, WorkerMethod>]: (
    params: RequestParams[M],
    context: NumberedContext,
  ) => unknown;
};

/** Performs one client's requests over a bridge and mounts of its own. */
export class RequestPerformer {
  readonly mounts: ClientMounts;
  /** Whether a call ran out of memory, of which the interpreter keeps some until it ends. */
  isSpent = false;
  readonly #bridge: Bridge;
  readonly #trees: MountedTrees;
  readonly #context: PerformerContext;
  readonly #handlers: Handlers = {
    configure: async (params, context) => {
      await this.#askBridge("configure", params, context);
      return null;
    },
    mount: (params, context) => this.#mount(params, context),
    unmount: async ({ path }, { signal, report }) => {
      await this.#trees.runUntilComplete(() => this.mounts.remove(path), signal, report);
      return null;
    },
    listTools: async (params, context) =>
      (await this.#askBridge("listTools", params, context)).tools,
    describeTools: async (params, context) =>
      (await this.#askBridge("describeTools", params, context)).tools,
    summarizeCall: (params, context) => this.#askBridge("summarizeCall", params, context),
    callTool: (params, context) => this.#callTool(params, context),
  };

  constructor(runtime: Runtime, context: PerformerContext) {
    this.#context = context;
    this.#trees = new MountedTrees(runtime, () => context.nextDirectory());
    this.#bridge = runtime.openBridge(this.#trees.calls);
    this.mounts = new ClientMounts(this.#bridge, this.#trees);
  }

  /**
   * Performs a request; call it only after the request before has settled.
   *
   * Rejects with an error for `wireError`, or with the signal's reason. If a mount rejects, the
   * caller undoes it by `mounts.takeBack(id)`.
   */
  async perform(request: PerformedRequest, context: RequestContext): Promise<unknown> {
    const { id, method, params } = request;
    if (method === "load" || method === "start") {
      throw MALFORMED;
    }
    // The compiler does not see that the parameters are those of the method.
    const handle: (params: never, context: NumberedContext) => unknown = this.#handlers[method];
    return handle(params as never, { ...context, id });
  }

  /** Runs a short request in the interpreter, which absorbs an interrupt that comes late. */
  askForNothing(): void {
    askBridge(this.#bridge, "listTools", {});
  }

  /** Asks the bridge until all modules that the request imports are there. */
  async #askBridge<M extends keyof BridgeParams>(
    method: M,
    params: BridgeParams[M],
    { signal, report }: RequestContext,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { outcome } = await this.#trees.runUntilComplete(
      () => askBridge(this.#bridge, method, params),
      signal,
      report,
    );
    return isRecord(outcome) ? outcome : {};
  }

  async #mount(params: MountParams, { id, signal, report }: NumberedContext): Promise<MountReport> {
    const startedMs = performance.now();
    // Checked first, so that nothing is downloaded or unpacked in vain.
    await this.#trees.runUntilComplete(
      () => this.mounts.require(params.path, params.replace),
      signal,
      report,
    );
    const { host, takeBlob, checkpointOf } = this.#context;
    const { root, ...counts } = await openSource(params, {
      host,
      takeBlob,
      checkpoint: checkpointOf(report, signal),
      report,
      signal,
      openDecompressor: (format) => openBridgeDecompressor(this.#bridge, format),
    });
    signal.throwIfAborted();
    await this.#trees.runUntilComplete(
      () => this.mounts.add(id, params.path, root, params.replace),
      signal,
      report,
    );
    report({ phase: "mount", loaded: 1, total: 1 });
    return { path: params.path, ...counts, elapsedMs: performance.now() - startedMs };
  }

  /**
   * Runs a tool, again if it missed content that is fetched late; the caller sees one answer.
   *
   * Entries that cannot be read are named in the warnings: each tool's own error words are fixed.
   */
  async #callTool(params: CallToolParams, { signal, report }: RequestContext): Promise<unknown> {
    const startedMs = performance.now();
    let attempts = 0;
    const { outcome, faults } = await this.#trees.runUntilComplete(
      () => {
        attempts += 1;
        // The time-out of the client counts from the first run, and a tool has to answer before.
        const spent = attempts === 1 ? {} : { spentMs: performance.now() - startedMs };
        return askBridge(this.#bridge, "callTool", { ...params, ...spent });
      },
      signal,
      report,
    );
    if (!isRecord(outcome) || !isStringList(outcome.warnings)) {
      return outcome;
    }
    const { ranOutOfMemory = false, ...answer } = outcome;
    const elapsedMs = attempts === 1 ? outcome.elapsedMs : performance.now() - startedMs;
    const warnings = [...outcome.warnings, ...faults];
    if (ranOutOfMemory === true) {
      this.isSpent = true;
      warnings.push(REPLACED_AFTER);
    }
    return { ...answer, warnings, elapsedMs };
  }
}
