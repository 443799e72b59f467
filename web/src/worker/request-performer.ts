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
  type BridgeParams,
  type BridgeResults,
  type PassedMethod,
} from "./bridge-client.ts";
import { openBridgeDecompressor } from "./bridge-decompressor.ts";
import { ChangeRecord } from "./change-record.ts";
import { ClientMounts } from "./client-mounts.ts";
import { MountedTrees } from "./mounted-trees.ts";
import type { Runtime } from "./start/runtime.ts";

const REPLACED_AFTER = "The interpreter is replaced after this answer, which frees its memory.";

/** A request without its message envelope. */
export interface PerformedRequest<M extends ClientMethod> {
  readonly id: number;
  readonly method: M;
  readonly params: RequestParams[M];
}

/** The signal and the progress of one request. */
export interface RequestContext {
  /** Aborted when the caller abandons the request. */
  readonly signal: AbortSignal;
  readonly report: (event: ProgressEvent) => void;
}

/** The parts of a worker that its performer uses. */
export interface PerformerContext {
  readonly host: SourceHost;
  readonly openFiles: FilesOpener;
  /** Returns an internal directory that no tree of any client had before. */
  nextDirectory(): string;
  /** Returns what a source awaits between its entries. */
  checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint;
}

/** These leave a record alone that waits for a mount. */
const BEFORE_THE_RECORD: ReadonlySet<ClientMethod> = new Set([
  "configure",
  "mount",
  "unmount",
  "restoreState",
  "discardChanges",
]);

/** A request that nothing stops, and whose progress is not reported. */
const UNHEARD: RequestContext = { signal: new AbortController().signal, report: () => undefined };

interface NumberedContext extends RequestContext {
  readonly id: number;
}

type Handlers = {
  readonly [M in ClientMethod]: (
    performer: RequestPerformer,
    params: RequestParams[M],
    context: NumberedContext,
  ) => unknown;
};

/** Performs one client's requests over a bridge and mounts of its own. */
export class RequestPerformer {
  readonly mounts: ClientMounts;
  /** True if a call ran out of memory, of which the interpreter keeps some until it ends. */
  isSpent = false;
  readonly #bridge: Bridge;
  readonly #trees: MountedTrees;
  readonly #context: PerformerContext;
  readonly #record = new ChangeRecord((method, params) => this.#askBridge(method, params, UNHEARD));
  static readonly #handlers: Handlers = {
    configure: async (performer, params, context) => {
      await performer.#askBridge("configure", params, context);
      return null;
    },
    mount: (performer, params, context) => performer.#mount(params, context),
    unmount: async (performer, { path }, { signal, report }) => {
      await performer.#trees.runUntilComplete(() => performer.mounts.remove(path), signal, report);
      return null;
    },
    listTools: async (performer, params, context) =>
      (await performer.#askBridge("listTools", params, context)).tools,
    describeTools: async (performer, params, context) =>
      (await performer.#askBridge("describeTools", params, context)).tools,
    callTool: (performer, params, context) => performer.#callTool(params, context),
    keepChange: async (performer, params, context) => {
      const decided = await performer.#askBridge("keepChange", params, context);
      performer.#record.noteMarks();
      return decided;
    },
    takeNotes: async (performer, params, context) => {
      const { notes } = await performer.#askBridge("takeNotes", params, context);
      if (notes.length > 0) {
        performer.#record.noteMarks();
      }
      return notes;
    },
    exportChanges: (performer, params, context) => performer.#exportChanges(params, context),
    saveState: (performer) => performer.#record.save(),
    restoreState: async (performer, { state }) => {
      await performer.#record.restore(state);
      return null;
    },
    readFile: async (performer, params, context) => {
      const { base64, sizeBytes } = await performer.#askBridge("readFile", params, context);
      return { bytes: fromBase64(base64), sizeBytes };
    },
    summarizeCall: RequestPerformer.#passOn("summarizeCall"),
    listEntries: RequestPerformer.#passOn("listEntries"),
    changes: RequestPerformer.#passOn("changes"),
    diffChange: RequestPerformer.#passOn("diffChange"),
    rejectChange: RequestPerformer.#passOn("rejectChange"),
    undoChange: RequestPerformer.#passOn("undoChange"),
    redoChange: RequestPerformer.#passOn("redoChange"),
    discardChanges: RequestPerformer.#passOn("discardChanges"),
  };

  /** Returns the handler of a method that the bridge answers as it is. */
  static #passOn<M extends PassedMethod>(method: M): Handlers[M] {
    const handle = (
      performer: RequestPerformer,
      params: BridgeParams[M],
      context: NumberedContext,
    ) => performer.#askBridge(method, params, context);
    // The compiler does not see that both tables have the same parameters here.
    return handle as Handlers[M];
  }

  constructor(runtime: Runtime, context: PerformerContext) {
    this.#context = context;
    this.#trees = new MountedTrees(runtime, () => context.nextDirectory());
    this.#bridge = runtime.openBridge(this.#trees.calls);
    this.mounts = new ClientMounts(this.#bridge, this.#trees);
  }

  /** Tells whether a value is the name of a method that `perform` takes. */
  static performs(method: unknown): method is ClientMethod {
    return typeof method === "string" && Object.hasOwn(RequestPerformer.#handlers, method);
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
    // The compiler does not see that the result is that of the method.
    const handle = RequestPerformer.#handlers[method] as (
      performer: RequestPerformer,
      params: RequestParams[M],
      context: NumberedContext,
    ) => RequestResults[M] | Promise<RequestResults[M]>;
    if (!BEFORE_THE_RECORD.has(method)) {
      await this.#record.restoreHeld();
    }
    return handle(this, params, { ...context, id });
  }

  /** Returns the record of changes if the last request has changed it; null if not. */
  takeChanges(): Promise<SavedChanges | null> {
    return this.#record.takeChanged();
  }

  /** Removes all that the client has in the interpreter. */
  close(): void {
    if (this.#record.isThere) {
      // The bridge keeps a mount that has changes.
      askBridge(this.#bridge, "discardChanges", {});
    }
    this.mounts.removeAll();
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
  ): Promise<BridgeResults[M]> {
    const { outcome } = await this.#trees.runUntilComplete(
      () => askBridge(this.#bridge, method, params),
      signal,
      report,
    );
    this.#record.note(outcome);
    return outcome;
  }

  async #mount(params: MountParams, { id, signal, report }: NumberedContext): Promise<MountReport> {
    const startedMs = performance.now();
    // Checked first, so that nothing is downloaded or unpacked in vain.
    await this.#trees.runUntilComplete(
      () => this.mounts.require(params.path, params.replace),
      signal,
      report,
    );
    const { host, openFiles, checkpointOf } = this.#context;
    const { root, ...counts } = await openSource(params, {
      host,
      openFiles,
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
    this.#record.noteMount();
    report({ phase: "mount", loaded: 1, total: 1 });
    return { path: params.path, ...counts, elapsedMs: performance.now() - startedMs };
  }

  /**
   * Runs a tool, again if it missed content that is fetched late; the caller sees one answer.
   *
   * Entries that cannot be read are named in the warnings: each tool's own error words are fixed.
   */
  async #callTool(params: CallToolParams, { signal, report }: RequestContext): Promise<ToolResult> {
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
