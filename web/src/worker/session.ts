/** One client's side in the worker: its bridge, its mounts, and its requests in their order. */
import { isCount, isRecord, isStringList } from "../protocol/checks.ts";
import type { CallToolParams, MountParams, Request, WorkerMessage } from "../protocol/messages.ts";
import type { MountReport, ProgressEvent } from "../protocol/mounts.ts";
import { openSource } from "../sources/open-source.ts";
import type { BlobReader } from "../sources/random-access.ts";
import type { BlobTaker, Checkpoint } from "../sources/source-context.ts";
import { UNREADABLE } from "./blob-depot.ts";
import { askBridge } from "./bridge-client.ts";
import { openBridgeDecompressor } from "./bridge-decompressor.ts";
import { MountedTrees } from "./mounted-trees.ts";
import { Mounts } from "./mounts.ts";
import { isClientMessage } from "./parse-message.ts";
import type { Runs } from "./runs.ts";
import type { Bridge, Runtime } from "./start/runtime.ts";
import type { Turns } from "./turns.ts";
import { MALFORMED, wireError } from "./wire-error.ts";

/** What all sessions of a worker share. */
export interface SharedParts {
  readonly turns: Turns;
  readonly runs: Runs;
  readonly readBlob: BlobReader;
  readonly takeBlob: BlobTaker;
  /** Throws `BadRequest` before the start. */
  requireRuntime(): Runtime;
  /** Returns an internal directory that no tree had before. */
  nextDirectory(): string;
}

/** What a session has of its own. */
interface OwnParts {
  readonly bridge: Bridge;
  readonly trees: MountedTrees;
  readonly mounts: Mounts;
}

/** Listing a source holds up the worker for no longer than this before a cancel is looked for. */
const YIELD_AFTER_MS = 30;

/** Thrown where nobody waits for a request any more. */
class Cancelled extends Error {}

/** Answers the requests that arrive at one client's port. */
export class Session {
  readonly #port: MessagePort;
  readonly #shared: SharedParts;
  /** What aborts a request that nobody waits for any more. */
  readonly #waiting = new Map<number, AbortController>();
  #own: OwnParts | null = null;
  /** The highest id that has arrived. */
  #lastId = 0;

  constructor(port: MessagePort, shared: SharedParts) {
    this.#port = port;
    this.#shared = shared;
  }

  receive(message: unknown): void {
    if (isRecord(message) && isCount(message.id)) {
      this.#lastId = Math.max(this.#lastId, message.id);
    }
    const { turns } = this.#shared;
    if (!isClientMessage(message)) {
      this.#refuse(message);
    } else if (message.type === "close") {
      this.#close();
    } else if (message.type === "cancel") {
      this.#waiting.get(message.id)?.abort(new Cancelled());
      turns.take(() => this.#own?.mounts.takeBack(message.id));
    } else if (message.type === "acknowledge") {
      turns.take(() => this.#own?.mounts.settle(message.id));
    } else {
      const withdrawal = new AbortController();
      this.#waiting.set(message.id, withdrawal);
      turns.take(() => this.#answer(message, withdrawal.signal));
    }
  }

  /** Answers a message that came and could not be read: it was the one after the last. */
  refuseUnreadable(): void {
    this.#lastId += 1;
    this.#post({ type: "error", id: this.#lastId, ...wireError(UNREADABLE) });
  }

  #refuse(message: unknown): void {
    if (isRecord(message) && isCount(message.id)) {
      this.#post({ type: "error", id: message.id, ...wireError(MALFORMED) });
    }
  }

  #close(): void {
    for (const withdrawal of this.#waiting.values()) {
      withdrawal.abort(new Cancelled());
    }
    this.#shared.turns.take(() => {
      try {
        this.#own?.mounts.removeAll();
      } finally {
        this.#port.close();
      }
    });
  }

  async #answer(request: Request, signal: AbortSignal): Promise<void> {
    const { id } = request;
    try {
      signal.throwIfAborted();
      const run = this.#shared.runs.begin();
      this.#post({ type: "began", id, run });
      const result = await this.#perform(request, signal);
      this.#post({ type: "result", id, result });
    } catch (error) {
      this.#post(
        error instanceof Cancelled
          ? { type: "cancelled", id }
          : { type: "error", id, ...wireError(error) },
      );
      // A mount whose report could not be sent is one that nobody knows of.
      this.#own?.mounts.takeBack(id);
    } finally {
      this.#waiting.delete(id);
      this.#shared.runs.end(() => askBridge(this.#open().bridge, "listTools", {}));
    }
  }

  async #perform(request: Request, signal: AbortSignal): Promise<unknown> {
    const { bridge, mounts, trees } = this.#open();
    switch (request.method) {
      case "mount":
        return this.#mount(request.id, request.params, signal);
      case "unmount":
        mounts.remove(request.params.path);
        return null;
      case "configure":
        await trees.look(() => askBridge(bridge, "configure", request.params), signal);
        return null;
      case "listTools":
      case "describeTools":
      case "summarizeCall": {
        const { method, params } = request;
        const { outcome } = await trees.look(() => askBridge(bridge, method, params), signal);
        return isRecord(outcome) ? (outcome.tools ?? outcome.summary) : undefined;
      }
      case "callTool":
        return this.#callTool(request.params, signal);
      default:
        throw MALFORMED;
    }
  }

  /** Opened by the first request, which may come before the start is done. */
  #open(): OwnParts {
    if (this.#own === null) {
      const runtime = this.#shared.requireRuntime();
      const bridge = runtime.openBridge();
      const trees = new MountedTrees(runtime, this.#shared.nextDirectory);
      this.#own = { bridge, trees, mounts: new Mounts(bridge, trees) };
    }
    return this.#own;
  }

  async #mount(id: number, params: MountParams, signal: AbortSignal): Promise<MountReport> {
    const startedMs = performance.now();
    const { bridge, mounts } = this.#open();
    // Before anything is downloaded or unpacked for nothing.
    mounts.require(params.path, params.replace);
    const report = (event: ProgressEvent) => this.#post({ type: "progress", id, event });
    const { root, ...counts } = await openSource(params, {
      readBlob: this.#shared.readBlob,
      takeBlob: this.#shared.takeBlob,
      checkpoint: checkpointOf(report, signal),
      report,
      signal,
      openDecompressor: (format) => openBridgeDecompressor(bridge, format),
    });
    signal.throwIfAborted();
    mounts.add(id, params.path, root, params.replace);
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
    const { bridge, trees } = this.#open();
    let attempts = 0;
    const { outcome, faults } = await trees.look(() => {
      attempts += 1;
      return askBridge(bridge, "callTool", params);
    }, signal);
    if (!isRecord(outcome) || !isStringList(outcome.warnings)) {
      return outcome;
    }
    const elapsedMs = attempts === 1 ? outcome.elapsedMs : performance.now() - startedMs;
    return { ...outcome, warnings: [...outcome.warnings, ...faults], elapsedMs };
  }

  #post(message: WorkerMessage): void {
    this.#port.postMessage(message);
  }
}

function checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint {
  let yieldedMs = performance.now();
  return async (loaded, total) => {
    if (performance.now() - yieldedMs < YIELD_AFTER_MS) {
      return;
    }
    report({ phase: "index", loaded, ...(total === undefined ? {} : { total }) });
    // A cancel can arrive only while nothing runs, and microtasks do not let it in.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    yieldedMs = performance.now();
  };
}
