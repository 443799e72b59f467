/** One client in the worker: its port, its bridge and mounts, and its requests in order. */
import { isRecord } from "../lib/checks.ts";
import type { SerialQueue } from "../lib/serial-queue.ts";
import type { ClientMessage, Request, WorkerMessage } from "../protocol/messages.ts";
import type { ClientMethod, MountParams } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import { malformed } from "../protocol/refusals.ts";
import type { BlobTaker, Checkpoint, SourceHost } from "../sources/source-context.ts";
import type { InterruptibleRuns } from "./interruptible-runs.ts";
import { UNREADABLE } from "./received-blobs.ts";
import { type PerformedRequest, RequestPerformer } from "./request-performer.ts";
import type { Runtime } from "./start/runtime.ts";
import { wireError } from "./wire-error.ts";

/** What all client ports of a worker share. */
export interface SharedParts {
  readonly queue: SerialQueue;
  readonly runs: InterruptibleRuns;
  readonly host: SourceHost;
  readonly takeBlob: BlobTaker;
  /** Throws `BadRequest` before the start. */
  requireRuntime(): Runtime;
  /** Returns an internal directory that no tree had before. */
  nextDirectory(): string;
}

/** Listing a source runs no longer than this before it lets a cancel in. */
const YIELD_AFTER_MS = 30;

/** The reason of an abandoned request. */
class Cancelled extends Error {}

/** Answers the requests that arrive at one client's port. */
export class ClientPort {
  readonly #port: MessagePort;
  readonly #shared: SharedParts;
  /** Aborts a request by its id. */
  readonly #waiting = new Map<number, AbortController>();
  #performer: RequestPerformer | null = null;
  /** The highest id that has arrived. */
  #lastId = 0;

  constructor(port: MessagePort, shared: SharedParts) {
    this.#port = port;
    this.#shared = shared;
  }

  receive(data: unknown): void {
    if (!isRecord(data)) {
      return;
    }
    const message = data as unknown as ClientMessage;
    const { queue } = this.#shared;
    switch (message.type) {
      case "close":
        this.#close();
        break;
      case "cancel":
        this.#waiting.get(message.id)?.abort(new Cancelled());
        queue.enqueue(() => this.#performer?.mounts.takeBack(message.id));
        break;
      case "acknowledge":
        queue.enqueue(() => this.#performer?.mounts.settle(message.id));
        break;
      default:
        this.#receiveRequest(message);
    }
  }

  #receiveRequest(request: Request): void {
    const { id, method } = request;
    if (id > this.#lastId) {
      this.#lastId = id;
    }
    if (!RequestPerformer.performs(method)) {
      this.#post({ type: "error", id, ...wireError(malformed()) });
      return;
    }
    const withdrawal = new AbortController();
    this.#waiting.set(id, withdrawal);
    this.#shared.queue.enqueue(() =>
      this.#answer(request as PerformedRequest<typeof method>, withdrawal.signal),
    );
  }

  /** Refuses a message that cannot be decoded: it has the id after the last one. */
  refuseUnreadable(): void {
    this.#lastId += 1;
    this.#post({ type: "error", id: this.#lastId, ...wireError(UNREADABLE) });
  }

  #close(): void {
    for (const withdrawal of this.#waiting.values()) {
      withdrawal.abort(new Cancelled());
    }
    this.#shared.queue.enqueue(() => {
      try {
        this.#performer?.mounts.removeAll();
      } finally {
        this.#port.close();
      }
    });
  }

  async #answer(request: PerformedRequest<ClientMethod>, signal: AbortSignal): Promise<void> {
    const { id } = request;
    try {
      signal.throwIfAborted();
      const run = this.#shared.runs.begin();
      this.#post({ type: "began", id, run });
      const report = (event: ProgressEvent) => this.#post({ type: "progress", id, event });
      const performer = this.#open();
      const result = await performer.perform(request, { signal, report });
      this.#post({ type: "result", id, result, ...(performer.isSpent ? { isLast: true } : {}) });
      if (request.method === "callTool" || isArchive(request)) {
        this.#shared.requireRuntime().fetchLateCode?.();
      }
    } catch (error) {
      this.#post(
        error instanceof Cancelled
          ? { type: "cancelled", id }
          : { type: "error", id, ...wireError(error) },
      );
      // The client does not know a mount whose report could not be sent.
      this.#performer?.mounts.takeBack(id);
    } finally {
      this.#waiting.delete(id);
      this.#shared.runs.end(() => this.#open().askForNothing());
    }
  }

  /** Opened by the first request, which may come before the start has ended. */
  #open(): RequestPerformer {
    const { host, requireRuntime, nextDirectory, takeBlob } = this.#shared;
    this.#performer ??= new RequestPerformer(requireRuntime(), {
      host,
      nextDirectory,
      takeBlob,
      checkpointOf,
    });
    return this.#performer;
  }

  #post(message: WorkerMessage): void {
    this.#port.postMessage(message);
  }
}

/** Whether a request mounts an archive: a call is then likely to search it, by late code. */
function isArchive({ method, params }: PerformedRequest<ClientMethod>): boolean {
  return method === "mount" && (params as MountParams).source.kind === "archive";
}

function checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint {
  let yieldedMs = performance.now();
  return async (loaded, total) => {
    if (performance.now() - yieldedMs < YIELD_AFTER_MS) {
      return;
    }
    report({ phase: "index", loaded, ...(total === undefined ? {} : { total }) });
    // A cancel arrives only between tasks; microtasks do not let it in.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    yieldedMs = performance.now();
  };
}
