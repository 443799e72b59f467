/** Blobs on their way from a page's side to a worker's, with nothing in between. */
import { blobSenderTo, type SendBlob } from "../../src/session/blob-sender.ts";
import type { BlobTaker } from "../../src/sources/source-context.ts";
import { ReceivedBlobs } from "../../src/worker/received-blobs.ts";

export interface OpenHandover {
  readonly sendBlob: SendBlob;
  readonly takeBlob: BlobTaker;
}

/** Returns both ends; a Blob that is handed over is cloned, and there at once. */
export function openHandover(): OpenHandover {
  const depot = new ReceivedBlobs();
  const sendBlob = blobSenderTo({
    postMessage(message) {
      const copy = structuredClone(message);
      if (copy.type === "handover") {
        depot.receive(copy.handle, copy.blob);
      } else if (copy.type === "withdraw") {
        depot.withdraw(copy.handle);
      }
    },
  });
  return { sendBlob, takeBlob: (handle) => depot.take(handle) };
}

export const handOverNothing: SendBlob = () => {
  throw new Error("no blob was expected");
};

export const takeNoBlob: BlobTaker = () => {
  throw new Error("no blob was expected");
};
