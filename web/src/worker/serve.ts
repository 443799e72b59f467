/** The worker's end: starts the runtime, and opens a `ClientPort` for each client. */
import { isCount, isRecord } from "../lib/checks.ts";
import { SerialQueue } from "../lib/serial-queue.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Request, WorkerMessage } from "../protocol/messages.ts";
import type { RequestParams } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { WorkerStart } from "../protocol/start.ts";
import { ClientPort } from "./client-port.ts";
import { InterruptibleRuns } from "./interruptible-runs.ts";
import { MountDirectories } from "./mount-directories.ts";
import { isPageMessage } from "./parse-message.ts";
import { ReceivedBlobs } from "./received-blobs.ts";
import type { Runtime } from "./start/runtime.ts";
import { startFailed } from "./start/start-failed.ts";
import { type RuntimeStarter, runtimeStarter } from "./start/start-runtime.ts";
import { MALFORMED, wireError } from "./wire-error.ts";
import type { WorkerHost } from "./worker-host.ts";

/** The worker's own scope, or a port that stands for it. */
export interface MessageEndpoint {
  postMessage(message: WorkerMessage): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: { readonly data: unknown }) => void,
  ): void;
}

/** Answers the requests that arrive at an endpoint, and says hello to it. */
export function serve(
  endpoint: MessageEndpoint,
  host: WorkerHost,
  starter: RuntimeStarter = runtimeStarter(host),
): void {
  const server = new WorkerServer(endpoint, host, starter);
  endpoint.addEventListener("message", (event) => server.receive(event.data));
  endpoint.addEventListener("messageerror", () => server.refuseUnreadable());
  endpoint.postMessage({ type: "hello" });
}

class WorkerServer {
  readonly #endpoint: MessageEndpoint;
  readonly #host: WorkerHost;
  readonly #starter: RuntimeStarter;
  readonly #queue = new SerialQueue();
  readonly #runs = new InterruptibleRuns();
  readonly #blobs = new ReceivedBlobs();
  readonly #directories = new MountDirectories();
  #runtime: Runtime | null = null;
  /** The highest id that has arrived. */
  #lastId = 0;

  constructor(endpoint: MessageEndpoint, host: WorkerHost, starter: RuntimeStarter) {
    this.#endpoint = endpoint;
    this.#host = host;
    this.#starter = starter;
  }

  /** Answers a message that could not be decoded: the one after the last that could. */
  refuseUnreadable(): void {
    // Clients have no ports before the start; after it, only Blobs that they name arrive here.
    if (this.#runtime !== null) {
      this.#blobs.receiveUnreadable();
      return;
    }
    this.#lastId += 1;
    const reason = "The worker could not read what it starts from.";
    const error = new TreeglassError("StartFailed", reason);
    this.#post({ type: "error", id: this.#lastId, ...wireError(error) });
  }

  receive(message: unknown): void {
    if (isRecord(message) && isCount(message.id)) {
      this.#lastId = Math.max(this.#lastId, message.id);
    }
    if (!isPageMessage(message)) {
      this.#refuse(message);
    } else if (message.type === "handover") {
      this.#blobs.receive(message.handle, message.blob);
    } else if (message.type === "withdraw") {
      this.#blobs.withdraw(message.handle);
    } else if (message.type === "open") {
      this.#open(message.port);
    } else if (message.method === "load") {
      // Not queued: the start needs these files, even while it waits for its turn.
      this.#starter.load(message.params.folders);
      this.#post({ type: "result", id: message.id, result: null });
    } else {
      this.#queue.enqueue(() => this.#answer(message));
    }
  }

  #refuse(message: unknown): void {
    if (isRecord(message) && isCount(message.id)) {
      this.#post({ type: "error", id: message.id, ...wireError(MALFORMED) });
    } else if (isRecord(message) && isCount(message.handle)) {
      // A request that names this Blob must fail instead of waiting for it.
      this.#blobs.receive(message.handle, MALFORMED);
    }
  }

  #open(port: MessagePort): void {
    const session = new ClientPort(port, {
      queue: this.#queue,
      runs: this.#runs,
      host: this.#host,
      takeBlob: (handle) => this.#blobs.take(handle),
      requireRuntime: () => this.#requireRuntime(),
      nextDirectory: () => this.#directories.next(),
    });
    port.addEventListener("message", (event) => session.receive(event.data));
    port.addEventListener("messageerror", () => session.refuseUnreadable());
    port.start();
  }

  #requireRuntime(): Runtime {
    if (this.#runtime === null) {
      throw new TreeglassError("BadRequest", "The worker was not started.");
    }
    return this.#runtime;
  }

  async #answer(request: Request): Promise<void> {
    const { id } = request;
    try {
      if (request.method !== "start") {
        throw MALFORMED;
      }
      const result = await this.#start(id, request.params);
      this.#post({ type: "result", id, result });
    } catch (error) {
      this.#post({ type: "error", id, ...wireError(error) });
    }
  }

  async #start(
    id: number,
    { folders, image, interrupts }: RequestParams["start"],
  ): Promise<WorkerStart> {
    const report = (event: ProgressEvent) => this.#post({ type: "progress", id, event });
    const { runtime, start } = await this.#starter
      .start(folders, image, report)
      .catch(async (cause) => {
        const error = startFailed(
          "The runtime failed while it started",
          cause,
          "Serve every file of the package's assets folder, as it was published.",
        );
        throw (await this.#host.explainFailure?.(error, folders.assets)) ?? error;
      });
    this.#runs.setInterruptBuffer(interrupts, runtime);
    this.#runtime = runtime;
    return start;
  }

  #post(message: WorkerMessage): void {
    this.#endpoint.postMessage(message);
  }
}
