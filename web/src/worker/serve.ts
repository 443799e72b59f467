/** The worker's end: starts the runtime, and answers the requests of all clients in their order. */
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { InterruptCells } from "../protocol/interrupts.ts";
import {
  type PageMessage,
  PROTOCOL,
  type Request,
  type WorkerMessage,
} from "../protocol/messages.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import { unreadable } from "../protocol/refusals.ts";
import type { FilesReply } from "../protocol/source-kinds.ts";
import type { Checkpoint } from "../sources/source-context.ts";
import { wireError } from "./bridge.ts";
import { RequestPerformer } from "./request-performer.ts";
import {
  RequestedStarts,
  type Runtime,
  type RuntimeStarter,
  runtimeStarter,
} from "./start/runtime.ts";
import { mountDirectories } from "./tree-calls.ts";
import type { MessageEndpoint, WorkerHost } from "./worker-host.ts";

/** Listing a source runs no longer than this before it lets a cancel in. */
const YIELD_AFTER_MS = 30;

class Cancelled extends Error {}

type ClientRequest = Exclude<Request, { readonly method: "start" }>;
type StartRequest = Extract<Request, { readonly method: "start" }>;

/** Answers the requests that arrive at an endpoint, and says hello to it. */
export function serve(
  endpoint: MessageEndpoint,
  host: WorkerHost,
  starter: RuntimeStarter = runtimeStarter(host),
): void {
  const server = new WorkerServer(endpoint, host, starter);
  endpoint.addEventListener("message", ({ data }) => {
    if (isRecord(data)) {
      // Of the page's own release, as the page has checked.
      server.receive(data as unknown as PageMessage);
    }
  });
  endpoint.addEventListener("messageerror", () => server.refuseUnreadable());
  endpoint.postMessage({ type: "hello", protocol: PROTOCOL });
}

class WorkerServer {
  readonly #endpoint: MessageEndpoint;
  readonly #host: WorkerHost;
  readonly #starts: RequestedStarts;
  /** Settles when all tasks so far have: the interpreter is not re-entrant. */
  #queue: Promise<void> = Promise.resolve();
  readonly #directories = mountDirectories();
  /** Each client's bridge and mounts; opened by its first request, which may precede the start. */
  readonly #clients = new Map<number, RequestPerformer>();
  readonly #waiting = new Map<number, { readonly client: number; readonly abort: () => void }>();
  /** Hears the page's replies for the files of one tree. */
  readonly #files = new Map<number, (reply: FilesReply | null | "unreadable") => void>();
  #runtime: Runtime | null = null;
  /** Missing once it was called. */
  #fetchLateCode: Runtime["fetchLateCode"];
  /** The page writes there to stop a run; null if it shares no memory. */
  #interrupts: InterruptCells | null = null;
  #lastId = 0;

  constructor(endpoint: MessageEndpoint, host: WorkerHost, starter: RuntimeStarter) {
    this.#endpoint = endpoint;
    this.#host = host;
    this.#starts = new RequestedStarts(host, starter);
  }

  receive(message: PageMessage): void {
    if ("id" in message && message.id > this.#lastId) {
      this.#lastId = message.id;
    }
    switch (message.type) {
      case "cancel":
        this.#waiting.get(message.id)?.abort();
        this.#enqueue(() => this.#takeBack(message));
        break;
      case "acknowledge":
        this.#enqueue(() => this.#clients.get(message.client)?.mounts.settle(message.id));
        break;
      case "close":
        this.#close(message.client);
        break;
      case "part":
        this.#starts.receive(message.part);
        break;
      case "files":
        this.#files.get(message.server)?.(message.reply);
        break;
      default:
        this.#receiveRequest(message);
    }
  }

  /** Answers a message that cannot be decoded: it has the id after the last one. */
  refuseUnreadable(): void {
    this.#lastId += 1;
    const error =
      this.#runtime === null
        ? new TreeglassError("StartFailed", "The worker could not read what it starts from.")
        : unreadable();
    this.#post({ type: "error", id: this.#lastId, ...wireError(error) });
    // It may have been one of these.
    this.#starts.refusePart();
    for (const hear of this.#files.values()) {
      hear("unreadable");
    }
  }

  #receiveRequest(request: Request): void {
    const { id, client, method } = request;
    if (method === "start") {
      this.#starts.prepare(request.params);
      this.#enqueue(() => this.#answerStart(request));
    } else {
      const withdrawal = new AbortController();
      this.#waiting.set(id, { client, abort: () => withdrawal.abort(new Cancelled()) });
      this.#enqueue(() => this.#answer(request, withdrawal.signal));
    }
  }

  #enqueue(task: () => Promise<void> | void): void {
    // A task reports its own failure; later tasks must still run.
    this.#queue = this.#queue.then(task).catch(() => undefined);
  }

  #takeBack({ id, client }: { readonly id: number; readonly client: number }): void {
    this.#clients.get(client)?.mounts.takeBack(id);
  }

  #close(client: number): void {
    for (const request of this.#waiting.values()) {
      if (request.client === client) {
        request.abort();
      }
    }
    this.#enqueue(() => {
      const performer = this.#clients.get(client);
      this.#clients.delete(client);
      performer?.close();
    });
  }

  async #answer(request: ClientRequest, signal: AbortSignal): Promise<void> {
    const { id, client, method } = request;
    try {
      signal.throwIfAborted();
      const performer = this.#performerOf(client);
      const result = await this.#run(request, performer, signal);
      // In the same message: a caller has no answer whose changes would be lost with the worker.
      const changes = await performer.takeChanges();
      this.#post({
        type: "result",
        id,
        result,
        ...(performer.isSpent ? { isLast: true } : {}),
        ...(changes === null ? {} : { changes }),
      });
      if (method === "callTool") {
        // The first answer is there: a later call likely needs what the start has left out.
        this.#fetchLateCode?.();
        this.#fetchLateCode = undefined;
      } else if (method === "mount" && request.params.source.kind === "archive") {
        // The first call is likely a search, which imports from this archive. The late parts wait
        // for that call, since many visitors make none.
        void this.#requireRuntime().late?.fetch();
      }
    } catch (error) {
      this.#post(
        error instanceof Cancelled
          ? { type: "cancelled", id }
          : { type: "error", id, ...wireError(error) },
      );
      // The client does not know a mount whose report could not be sent.
      this.#takeBack(request);
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #run(
    request: ClientRequest,
    performer: RequestPerformer,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { id } = request;
    this.#interrupts?.begin(id);
    this.#post({ type: "began", id });
    try {
      return await performer.perform(request, { signal, report: this.#reporterOf(request) });
    } finally {
      // From here on no interrupt stops what saves the changes.
      if (this.#interrupts?.end(id)) {
        performer.absorbInterrupt();
      }
    }
  }

  #performerOf(client: number): RequestPerformer {
    const performer =
      this.#clients.get(client) ??
      new RequestPerformer(this.#requireRuntime(), {
        host: this.#host,
        nextDirectory: this.#directories,
        openFiles: (server, hear) => {
          this.#files.set(server, hear);
          return {
            ask: (indices) => this.#post({ type: "wanted", server, indices }),
            close: () => this.#files.delete(server),
          };
        },
        checkpointOf,
      });
    this.#clients.set(client, performer);
    return performer;
  }

  #requireRuntime(): Runtime {
    if (this.#runtime === null) {
      throw new TreeglassError("BadRequest", "The worker was not started.");
    }
    return this.#runtime;
  }

  async #answerStart(request: StartRequest): Promise<void> {
    const { id, params } = request;
    try {
      const { runtime, start } = await this.#starts.start(params, this.#reporterOf(request));
      const { interrupts } = params;
      this.#interrupts = interrupts === null ? null : new InterruptCells(interrupts);
      runtime.setInterruptBuffer(this.#interrupts?.signal ?? null);
      this.#runtime = runtime;
      this.#fetchLateCode = runtime.fetchLateCode;
      this.#post({ type: "result", id, result: start });
    } catch (error) {
      this.#post({ type: "error", id, ...wireError(error) });
    }
  }

  #reporterOf({ id, wantsProgress }: Request): (event: ProgressEvent) => void {
    return wantsProgress ? (event) => this.#post({ type: "progress", id, event }) : () => undefined;
  }

  #post(message: WorkerMessage): void {
    this.#endpoint.postMessage(message);
  }
}

function checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint {
  let yieldedMs = performance.now();
  return async (loaded, total, phase = "index") => {
    if (performance.now() - yieldedMs < YIELD_AFTER_MS) {
      return;
    }
    report({ phase, loaded, ...(total === undefined ? {} : { total }) });
    // A cancel arrives only between tasks; microtasks do not let it in.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    yieldedMs = performance.now();
  };
}
