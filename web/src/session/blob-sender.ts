/** Blobs on their way to one worker, over that worker's own channel. */
import type { BlobHandle } from "../protocol/source-kinds.ts";
import { cannotBeSent, type WorkerEndpoint } from "./worker-endpoint.ts";

/** A Blob that was sent to a worker. */
export interface SentBlob {
  readonly handle: BlobHandle;
  /** Has the worker let go of it, if it was not taken there; may be called twice. */
  readonly withdraw: () => void;
}

/** Sends a Blob to a worker, ahead of what names it; throws `BadRequest` where it cannot be sent. */
export type SendBlob = (blob: Blob) => SentBlob;

/** Returns the way of Blobs to a worker. */
export function blobSenderTo(worker: Pick<WorkerEndpoint, "postMessage">): SendBlob {
  let lastHandle = 0;
  return (blob) => {
    const handle = lastHandle + 1;
    try {
      worker.postMessage({ type: "handover", handle, blob }, []);
    } catch (cause) {
      throw cannotBeSent(cause);
    }
    lastHandle = handle;
    return { handle, withdraw: () => worker.postMessage({ type: "withdraw", handle }, []) };
  };
}
