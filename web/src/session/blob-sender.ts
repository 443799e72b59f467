/** Sends Blobs to a worker over its own channel. */
import type { BlobHandle } from "../protocol/source-kinds.ts";
import { cannotBeSent, type WorkerEndpoint } from "./worker-endpoint.ts";

/** A Blob that was sent to a worker. */
export interface SentBlob {
  readonly handle: BlobHandle;
  /** Makes the worker drop it, unless a source has taken it; may be called twice. */
  readonly withdraw: () => void;
}

/** Sends a Blob before the message that names it; throws `BadRequest` if it cannot be sent. */
export type SendBlob = (blob: Blob) => SentBlob;

/** Returns a function that sends Blobs to a worker. */
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
