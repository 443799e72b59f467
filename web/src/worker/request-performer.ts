/** Performs one client's requests; the caller keeps them in order. */
import { fromBase64 } from "../lib/base64.ts";
import type { SavedChanges } from "../protocol/changes.ts";
import type {
  CallToolParams,
  ClientMethod,
  ExportChangesParams,
  MountParams,
  RequestParams,
  RequestResults,
} from "../protocol/methods.ts";
import type { MountReport, ProgressEvent } from "../protocol/mount-report.ts";
import type { ToolResult } from "../protocol/tools.ts";
import { openSource } from "../sources/open-source.ts";
import type { Checkpoint, FilesOpener, SourceHost } from "../sources/source-context.ts";
import type { Bridge } from "./bridge.ts";
import {
  askBridge,
  askForJson,
  type BridgeParams,
  type BridgeResults,
  openBridgeDecompressor,
  type PassedMethod,
} from "./bridge-client.ts";
import { ChangeRecord } from "./change-record.ts";
import { ClientMounts } from "./client-mounts.ts";
import { MountedTrees, type RequestContext, UNHEARD } from "./mounted-trees.ts";
import type { Runtime } from "./start/runtime.ts";

/** After this many short requests, a late interrupt has arrived. */
const MAX_ABSORBING_REQUESTS = 3;

const REPLACED_AFTER = "The interpreter is replaced after this answer, which frees its memory.";

export interface PerformedRequest<M extends ClientMethod> {
  readonly id: number;
  readonly method: M;
  readonly params: RequestParams[M];
}

export interface PerformerContext {
  readonly host: SourceHost;
  readonly openFiles: FilesOpener;
  /** Returns an internal directory that no tree of any client had before. */
  nextDirectory(): string;
  /** Returns what a source awaits between its entries. */
  checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint;
}

interface NumberedContext extends RequestContext {
  readonly id: number;
}

type Handle<M extends ClientMethod> = (
  params: RequestParams[M],
  context: NumberedContext,
) => RequestResults[M] | Promise<RequestResults[M]>;

/** The handlers of methods that the bridge does not answer by itself. */
type Handlers = { readonly [M in Exclude<ClientMethod, PassedMethod>]: Handle<M> };

export class RequestPerformer {
  readonly mounts: ClientMounts;
  /** True if a call ran out of memory, of which the interpreter keeps some until it ends. */
  isSpent = false;
  readonly #runtime: Runtime;
  readonly #bridge: Bridge;
  readonly #trees: MountedTrees;
  readonly #context: PerformerContext;
  readonly #record = new ChangeRecord((method, params) => this.#askBridge(method, params, UNHEARD));
  readonly #handlers: Handlers = {
    configure: async (params, context) => {
      await this.#askBridge("configure", params, context);
      return null;
    },
    mount: (params, context) => this.#mount(params, context),
    unmount: async ({ path }, context) => {
      await this.#trees.runUntilComplete(() => this.mounts.remove(path), context);
      return null;
    },
    listTools: async (params, context) =>
      (await this.#askBridge("listTools", params, context)).tools,
    describeTools: async (params, context) =>
      (await this.#askBridge("describeTools", params, context)).tools,
    callTool: (params, context) => this.#callTool(params, context),
    changes: async (params, context) => {
      const ask = () => askForJson(this.#bridge, "changes", params);
      return (await this.#trees.runUntilComplete(ask, context)).outcome;
    },
    keepChange: async (params, context) => {
      const decided = await this.#askBridge("keepChange", params, context);
      this.#record.noteMarks();
      return decided;
    },
    takeNotes: async (params, context) => {
      const { notes } = await this.#askBridge("takeNotes", params, context);
      if (notes.length > 0) {
        this.#record.noteMarks();
      }
      return notes;
    },
    exportChanges: (params, context) => this.#exportChanges(params, context),
    saveState: () => this.#record.save(),
    restoreState: async ({ state }) => {
      await this.#record.restore(state);
      return null;
    },
    readFile: async (params, context) => {
      const { base64, sizeBytes } = await this.#askBridge("readFile", params, context);
      return { bytes: fromBase64(base64), sizeBytes };
    },
  };

  constructor(runtime: Runtime, context: PerformerContext) {
    this.#runtime = runtime;
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
  async perform<M extends ClientMethod>(
    { id, method, params }: PerformedRequest<M>,
    context: RequestContext,
  ): Promise<RequestResults[M]> {
    await this.#record.restoreBefore(method);
    const handlers: { readonly [Name in ClientMethod]?: unknown } = this.#handlers;
    const passOn: Handle<PassedMethod> = (passed, numbered) =>
      this.#askBridge(method as PassedMethod, passed, numbered);
    // The compiler does not see that the parameters and the result are those of the method.
    const handle = (handlers[method] ?? passOn) as Handle<M>;
    return handle(params, { ...context, id });
  }

  /** Returns the record of changes if the last request has changed it; null if not. */
  takeChanges(): Promise<SavedChanges | null> {
    return this.#record.takeChanged();
  }

  close(): void {
    if (this.#record.isThere) {
      // The bridge keeps a mount that has changes.
      askBridge(this.#bridge, "discardChanges", {});
    }
    this.mounts.removeAll();
  }

  /**
   * Runs a short request until none is interrupted: the interpreter may have taken the signal for
   * the last run without acting on it yet.
   */
  absorbInterrupt(): void {
    for (let asked = 0; asked < MAX_ABSORBING_REQUESTS; asked += 1) {
      try {
        askBridge(this.#bridge, "listTools", {});
        return;
      } catch {
        // The signal has arrived; the page may have given another one meanwhile.
      }
    }
  }

  /** Asks the bridge until all modules that the request imports are there. */
  async #askBridge<M extends keyof BridgeParams>(
    method: M,
    params: BridgeParams[M],
    context: RequestContext,
  ): Promise<BridgeResults[M]> {
    const ask = () => askBridge(this.#bridge, method, params);
    const { outcome } = await this.#trees.runUntilComplete(ask, context);
    this.#record.note(outcome);
    return outcome;
  }

  async #mount(params: MountParams, context: NumberedContext): Promise<MountReport> {
    const { id, signal, report } = context;
    const { path, replace } = params;
    const startedMs = performance.now();
    // Checked first, so that nothing is downloaded or unpacked in vain.
    await this.#trees.runUntilComplete(() => this.mounts.require(path, replace), context);
    const { host, openFiles, checkpointOf } = this.#context;
    const { zlib } = this.#runtime;
    const { root, ...counts } = await openSource(params, {
      host,
      openFiles,
      checkpoint: checkpointOf(report, signal),
      report,
      signal,
      zlib,
      openDecompressor: (format) =>
        format === "gzip" ? zlib().openGzip() : openBridgeDecompressor(this.#bridge, format),
    });
    signal.throwIfAborted();
    await this.#trees.runUntilComplete(() => this.mounts.add(id, path, root, replace), context);
    this.#record.noteMount();
    report({ phase: "mount", loaded: 1, total: 1 });
    return { path, ...counts, elapsedMs: performance.now() - startedMs };
  }

  /**
   * Runs a tool, again if it missed content that is fetched late; the caller sees one answer.
   *
   * Entries that cannot be read are named in the warnings: each tool's own error words are fixed.
   */
  async #callTool(params: CallToolParams, context: RequestContext): Promise<ToolResult> {
    const startedMs = performance.now();
    let attempts = 0;
    const { outcome, faults } = await this.#trees.runUntilComplete(() => {
      attempts += 1;
      // The time-out of the client counts from the first run, and a tool has to answer before.
      const spent = attempts === 1 ? {} : { spentMs: performance.now() - startedMs };
      return askBridge(this.#bridge, "callTool", { ...params, ...spent });
    }, context);
    this.#record.note(outcome);
    const { ranOutOfMemory = false, ...answer } = outcome;
    const elapsedMs = attempts === 1 ? outcome.elapsedMs : performance.now() - startedMs;
    const warnings = [...outcome.warnings, ...faults];
    if (ranOutOfMemory) {
      this.isSpent = true;
      warnings.push(REPLACED_AFTER);
    }
    return { ...answer, warnings, elapsedMs };
  }

  async #exportChanges(
    params: ExportChangesParams,
    context: RequestContext,
  ): Promise<RequestResults["exportChanges"]> {
    const exported = await this.#askBridge("exportChanges", params, context);
    if ("manifest" in exported) {
      return exported.manifest;
    }
    const bytes = fromBase64(exported.base64);
    return params.format === "patch" ? new TextDecoder().decode(bytes) : bytes;
  }
}
