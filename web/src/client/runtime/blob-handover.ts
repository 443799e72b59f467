/** Blobs on their way to one worker, over that worker's own channel. */
import type { BlobHandle } from "../../protocol/messages.ts";
import { cannotBeSent, type WorkerEndpoint } from "./worker-channel.ts";

/** Hands Blobs to a worker, each by a handle that counts up from 1. */
export class BlobHandover {
  readonly #worker: Pick<WorkerEndpoint, "postMessage">;
  #lastHandle = 0;

  constructor(worker: Pick<WorkerEndpoint, "postMessage">) {
    this.#worker = worker;
  }

  /** Sends a Blob and returns its handle; throws `BadRequest` for what cannot be sent. */
  give(blob: Blob): BlobHandle {
    const handle = this.#lastHandle + 1;
    try {
      this.#worker.postMessage({ type: "handover", handle, blob }, []);
    } catch (cause) {
      throw cannotBeSent(cause);
    }
    this.#lastHandle = handle;
    return handle;
  }

  /** Has the worker let go of a Blob, if it was not taken there. */
  withdraw(handle: BlobHandle): void {
    this.#worker.postMessage({ type: "withdraw", handle }, []);
  }
}
