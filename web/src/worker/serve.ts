/** The worker's side of the protocol: one request after the other, each answered once. */
import { isCount, isRecord, isStringList } from "../protocol/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type {
  CallToolParams,
  MountParams,
  Request,
  RequestParams,
  WorkerMessage,
} from "../protocol/messages.ts";
import type { MountReport, ProgressEvent } from "../protocol/mounts.ts";
import type { WorkerStart } from "../protocol/start.ts";
import { openSource } from "../sources/open-source.ts";
import type { BlobReader } from "../sources/random-access.ts";
import type { Checkpoint } from "../sources/source-context.ts";
import { askBridge } from "./bridge-client.ts";
import { openBridgeDecompressor } from "./bridge-decompressor.ts";
import { MountedTrees } from "./mounted-trees.ts";
import { Mounts } from "./mounts.ts";
import { isClientMessage } from "./parse-message.ts";
import type { Bridge } from "./start/runtime.ts";
import type { RuntimeStarter } from "./start/start-runtime.ts";

/** Where messages come from and go to: a worker's own scope, or one end of a channel. */
export interface MessageEndpoint {
  postMessage(message: WorkerMessage): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: { readonly data: unknown }) => void,
  ): void;
}

/** What only the surroundings can give. */
export interface Surroundings {
  readonly runtimeStarter: RuntimeStarter;
  readonly readBlob: BlobReader;
}

/** Listing a source holds up the worker for no longer than this before a cancel is looked for. */
const YIELD_AFTER_MS = 30;

/** Thrown where nobody waits for a request any more. */
class Cancelled extends Error {}

/** Answers the requests that arrive at an endpoint, and says hello to it. */
export function serve(endpoint: MessageEndpoint, surroundings: Surroundings): void {
  const session = new Session(endpoint, surroundings);
  endpoint.addEventListener("message", (event) => session.receive(event.data));
  endpoint.addEventListener("messageerror", () => session.refuseUnreadable());
  endpoint.postMessage({ type: "hello" });
}

class Session {
  readonly #endpoint: MessageEndpoint;
  readonly #surroundings: Surroundings;
  /** What aborts a request that nobody waits for any more. */
  readonly #waiting = new Map<number, AbortController>();
  #bridge: Bridge | null = null;
  #trees: MountedTrees | null = null;
  #mounts: Mounts | null = null;
  #last: Promise<void> = Promise.resolve();
  /** The highest id that has arrived. */
  #lastId = 0;

  constructor(endpoint: MessageEndpoint, surroundings: Surroundings) {
    this.#endpoint = endpoint;
    this.#surroundings = surroundings;
  }

  receive(message: unknown): void {
    if (isRecord(message) && isCount(message.id)) {
      this.#lastId = Math.max(this.#lastId, message.id);
    }
    if (!isClientMessage(message)) {
      this.#refuse(message);
    } else if (message.type === "cancel") {
      this.#waiting.get(message.id)?.abort(new Cancelled());
      this.#waiting.delete(message.id);
      this.#enqueue(() => this.#mounts?.takeBack(message.id));
    } else if (message.type === "acknowledge") {
      this.#enqueue(() => this.#mounts?.settle(message.id));
    } else {
      this.#waiting.set(message.id, new AbortController());
      this.#enqueue(() => this.#answer(message));
    }
  }

  /** Answers a message that came and could not be read: it was the one after the last. */
  refuseUnreadable(): void {
    this.#lastId += 1;
    const reason =
      "The worker could not read the request; send less at once, and nothing that is bound to the page.";
    this.#post({ type: "error", id: this.#lastId, kind: "BadRequest", message: reason });
  }

  #refuse(message: unknown): void {
    if (isRecord(message) && isCount(message.id)) {
      const reason = "The request has values of the wrong type; see the types of the package.";
      this.#post({ type: "error", id: message.id, kind: "BadRequest", message: reason });
    }
  }

  #enqueue(task: () => Promise<void> | void): void {
    // What fails here is a task that nobody waits for; those that come after must still run.
    this.#last = this.#last.then(task).catch(() => undefined);
  }

  async #answer(request: Request): Promise<void> {
    const { id } = request;
    try {
      const result = await this.#perform(request, this.#signalOf(id));
      this.#post({ type: "result", id, result });
    } catch (error) {
      if (!(error instanceof Cancelled)) {
        this.#post({ type: "error", id, ...wireError(error) });
      }
      // A mount whose report could not be sent is one that nobody knows of.
      this.#mounts?.takeBack(id);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #perform(request: Request, signal: AbortSignal): Promise<unknown> | unknown {
    switch (request.method) {
      case "load":
        this.#surroundings.runtimeStarter.load(request.params.folders);
        return null;
      case "start":
        return this.#start(request.id, request.params);
      case "mount":
        return this.#mount(request.id, request.params, signal);
      case "unmount":
        started(this.#mounts).remove(request.params.path);
        return null;
      case "configure":
        askBridge(started(this.#bridge), "configure", request.params);
        return null;
      case "listTools": {
        const listed = askBridge(started(this.#bridge), "listTools", request.params);
        return isRecord(listed) ? listed.tools : undefined;
      }
      case "callTool":
        return this.#callTool(request.params, signal);
    }
  }

  async #start(
    id: number,
    { folders, image, settings }: RequestParams["start"],
  ): Promise<WorkerStart> {
    const report = (event: ProgressEvent) => this.#post({ type: "progress", id, event });
    const { runtime, start } = await this.#surroundings.runtimeStarter
      .start(folders, image, report)
      .catch(startFailed);
    const bridge = runtime.openBridge();
    this.#bridge = bridge;
    this.#trees = new MountedTrees(runtime.fs);
    this.#mounts = new Mounts(bridge, this.#trees);
    askBridge(bridge, "configure", settings);
    return start;
  }

  async #mount(id: number, params: MountParams, signal: AbortSignal): Promise<MountReport> {
    const startedMs = performance.now();
    const mounts = started(this.#mounts);
    // Before anything is downloaded or unpacked for nothing.
    mounts.require(params.path, params.replace);
    const report = (event: ProgressEvent) => this.#post({ type: "progress", id, event });
    const { root, ...counts } = await openSource(params, {
      readBlob: this.#surroundings.readBlob,
      checkpoint: checkpointOf(report, signal),
      report,
      signal,
      openDecompressor: (format) => openBridgeDecompressor(started(this.#bridge), format),
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
    let runs = 0;
    const { outcome, faults } = await started(this.#trees).look(() => {
      runs += 1;
      return askBridge(started(this.#bridge), "callTool", params);
    }, signal);
    if (!isRecord(outcome) || !isStringList(outcome.warnings)) {
      return outcome;
    }
    const elapsedMs = runs === 1 ? outcome.elapsedMs : performance.now() - startedMs;
    return { ...outcome, warnings: [...outcome.warnings, ...faults], elapsedMs };
  }

  #signalOf(id: number): AbortSignal {
    const signal = this.#waiting.get(id)?.signal;
    if (signal === undefined) {
      throw new Cancelled();
    }
    return signal;
  }

  #post(message: WorkerMessage): void {
    this.#endpoint.postMessage(message);
  }
}

function started<Part>(part: Part | null): Part {
  if (part === null) {
    throw new TreeglassError("BadRequest", "The worker was not started.");
  }
  return part;
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

/** Words what the runtime threw while it started; what it was reads like a stack trace. */
function startFailed(cause: unknown): never {
  if (cause instanceof TreeglassError) {
    throw cause;
  }
  const lines = String(cause instanceof Error ? cause.message : cause)
    .trim()
    .split("\n");
  throw new TreeglassError(
    "StartFailed",
    `The runtime failed while it started: ${lines.at(-1)}. Serve every file of the package's assets folder, as it was published.`,
    { cause },
  );
}

function wireError(error: unknown): { kind: TreeglassError["kind"]; message: string } {
  if (error instanceof TreeglassError) {
    return { kind: error.kind, message: error.message };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "WorkerFailed", message: `The worker failed: ${reason}` };
}
