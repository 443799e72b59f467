/** What one client asks of the interpreter, performed; whoever calls sees to the order. */
import { isRecord, isStringList } from "../lib/checks.ts";
import type { CallToolParams, Method, MountParams, RequestParams } from "../protocol/messages.ts";
import type { MountReport, ProgressEvent } from "../protocol/mount-report.ts";
import { openSource } from "../sources/open-source.ts";
import type { BlobTaker, Checkpoint, SourceHost } from "../sources/source-context.ts";
import type { Bridge } from "./bridge.ts";
import { askBridge } from "./bridge-client.ts";
import { openBridgeDecompressor } from "./bridge-decompressor.ts";
import { ClientMounts } from "./client-mounts.ts";
import { MountedTrees } from "./mounted-trees.ts";
import type { Runtime } from "./start/runtime.ts";
import { MALFORMED } from "./wire-error.ts";

/** A request without the way that it came. */
export type PerformedRequest = {
  readonly [M in Method]: {
    readonly id: number;
    readonly method: M;
    readonly params: RequestParams[M];
  };
}[Method];

/** What goes along with one request. */
export interface RequestContext {
  /** Aborted when nobody waits for the request any more. */
  readonly signal: AbortSignal;
  readonly report: (event: ProgressEvent) => void;
}

/** What a performer needs of its worker. */
export interface PerformerContext {
  readonly host: SourceHost;
  readonly takeBlob: BlobTaker;
  /** Returns an internal directory that no tree had before, of any client. */
  nextDirectory(): string;
  /** Returns what is asked between a source's entries. */
  checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint;
}

/** Performs one client's requests, over a bridge and mounts of its own. */
export class RequestPerformer {
  readonly mounts: ClientMounts;
  readonly #bridge: Bridge;
  readonly #trees: MountedTrees;
  readonly #context: PerformerContext;

  constructor(runtime: Runtime, context: PerformerContext) {
    this.#context = context;
    this.#bridge = runtime.openBridge();
    this.#trees = new MountedTrees(runtime, () => context.nextDirectory());
    this.mounts = new ClientMounts(this.#bridge, this.#trees);
  }

  /**
   * Performs a request; to be called when the one before is done.
   *
   * Rejects with what `wireError` words, or with the signal's reason. What a mount that rejects has
   * put in place is for the caller to take back, by its id.
   */
  async perform(request: PerformedRequest, { signal, report }: RequestContext): Promise<unknown> {
    const bridge = this.#bridge;
    switch (request.method) {
      case "mount":
        return this.#mount(request.id, request.params, { signal, report });
      case "unmount":
        this.mounts.remove(request.params.path);
        return null;
      case "configure":
        await this.#trees.look(() => askBridge(bridge, "configure", request.params), signal);
        return null;
      case "listTools":
      case "describeTools":
      case "summarizeCall": {
        const { method, params } = request;
        const { outcome } = await this.#trees.look(() => askBridge(bridge, method, params), signal);
        return isRecord(outcome) ? (outcome.tools ?? outcome.summary) : undefined;
      }
      case "callTool":
        return this.#callTool(request.params, signal);
      default:
        throw MALFORMED;
    }
  }

  /** Has the interpreter run something short, which a signal that is on its way can stop. */
  askForNothing(): void {
    askBridge(this.#bridge, "listTools", {});
  }

  async #mount(
    id: number,
    params: MountParams,
    { signal, report }: RequestContext,
  ): Promise<MountReport> {
    const startedMs = performance.now();
    // Before anything is downloaded or unpacked for nothing.
    this.mounts.require(params.path, params.replace);
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
    this.mounts.add(id, params.path, root, params.replace);
    report({ phase: "mount", loaded: 1, total: 1 });
    return { path: params.path, ...counts, elapsedMs: performance.now() - startedMs };
  }

  /**
   * Runs a tool; what it has to wait for is waited for, and the caller sees one answer.
   *
   * An entry that could not be had is told of in the warnings: a tool's own words for it are fixed.
   */
  async #callTool(params: CallToolParams, signal: AbortSignal): Promise<unknown> {
    const startedMs = performance.now();
    let attempts = 0;
    const { outcome, faults } = await this.#trees.look(() => {
      attempts += 1;
      return askBridge(this.#bridge, "callTool", params);
    }, signal);
    if (!isRecord(outcome) || !isStringList(outcome.warnings)) {
      return outcome;
    }
    const elapsedMs = attempts === 1 ? outcome.elapsedMs : performance.now() - startedMs;
    return { ...outcome, warnings: [...outcome.warnings, ...faults], elapsedMs };
  }
}
