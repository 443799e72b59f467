/** Blobs on their way from a page's side to a worker's, with nothing in between. */
import { BlobHandover } from "../../src/client/runtime/blob-handover.ts";
import type { BlobTaker } from "../../src/sources/source-context.ts";
import { BlobDepot } from "../../src/worker/blob-depot.ts";
import { isPageMessage } from "../../src/worker/parse-message.ts";

export interface OpenHandover {
  readonly blobs: BlobHandover;
  readonly takeBlob: BlobTaker;
}

/** Returns both ends; what is handed over is cloned, and there at once. */
export function openHandover(): OpenHandover {
  const depot = new BlobDepot();
  const blobs = new BlobHandover({
    postMessage(message) {
      const copy: unknown = structuredClone(message);
      if (!isPageMessage(copy)) {
        depot.receiveUnreadable();
      } else if (copy.type === "handover") {
        depot.receive(copy.handle, copy.blob);
      } else if (copy.type === "withdraw") {
        depot.withdraw(copy.handle);
      }
    },
  });
  return { blobs, takeBlob: (handle) => depot.take(handle) };
}

/** Stands for the way of Blobs where none is handed over. */
export function noHandover(): BlobHandover {
  return new BlobHandover({
    postMessage() {
      throw new Error("no blob was expected");
    },
  });
}

export const takeNoBlob: BlobTaker = () => {
  throw new Error("no blob was expected");
};
