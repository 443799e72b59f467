/** The worker's end: starts the runtime, and opens a `ClientPort` for each client. */
import { SerialQueue } from "../lib/serial-queue.ts";
import { TreeglassError } from "../protocol/errors.ts";
import {
  type PageMessage,
  PROTOCOL,
  type Request,
  type WorkerMessage,
} from "../protocol/messages.ts";
import type { RequestParams } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import { malformed } from "../protocol/refusals.ts";
import type { WorkerStart } from "../protocol/start.ts";
import { ClientPort } from "./client-port.ts";
import { InterruptibleRuns } from "./interruptible-runs.ts";
import { MountDirectories } from "./mount-directories.ts";
import { ReceivedBlobs } from "./received-blobs.ts";
import type { Runtime } from "./start/runtime.ts";
import { startFailed } from "./start/start-failed.ts";
import { type RuntimeStarter, runtimeStarter } from "./start/start-runtime.ts";
import { wireError } from "./wire-error.ts";
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
  endpoint.addEventListener("message", ({ data }) => server.receive(data as PageMessage));
  endpoint.addEventListener("messageerror", () => server.refuseUnreadable());
  endpoint.postMessage({ type: "hello", protocol: PROTOCOL });
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

  receive(message: PageMessage): void {
    switch (message.type) {
      case "handover":
        // A page can pass for a Blob whatever has its tag.
        this.#blobs.receive(
          message.handle,
          message.blob instanceof Blob ? message.blob : malformed(),
        );
        break;
      case "withdraw":
        this.#blobs.withdraw(message.handle);
        break;
      case "open":
        this.#open(message.port);
        break;
      default:
        this.#receiveRequest(message);
    }
  }

  #receiveRequest(request: Request): void {
    const { id, method, params } = request;
    this.#lastId = Math.max(this.#lastId, id);
    if (method === "load") {
      // Not queued: the start needs these files, even while it waits for its turn.
      this.#starter.load(params.folders);
      this.#post({ type: "result", id, result: null });
    } else {
      this.#queue.enqueue(() => this.#answer(request));
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
    port.addEventListener("message", ({ data }) => session.receive(data));
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
        throw malformed();
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
