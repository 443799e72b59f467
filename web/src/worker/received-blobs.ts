/** Blobs that the page has sent to the worker and no source has taken yet. */
import { TreeglassError } from "../protocol/errors.ts";
import type { BlobHandle } from "../protocol/source-kinds.ts";

/** The reply to a request that cannot be decoded. */
export const UNREADABLE = new TreeglassError(
  "BadRequest",
  "The worker could not read the request; send less at once, and nothing that is bound to the page.",
);

/**
 * Returns each Blob once, and waits for one that is named before it arrives: the worker's channel
 * and the port that names the Blob have no common order.
 *
 * A Blob stays until it is taken or withdrawn. It stays for good if a `FilesReply` that names it
 * cannot be decoded; that reply is numbers, so only a browser without free memory fails to.
 */
export class ReceivedBlobs {
  readonly #arrived = new Map<BlobHandle, Blob | TreeglassError>();
  readonly #awaited = new Map<BlobHandle, (blob: Promise<Blob>) => void>();
  /** The highest handle that has arrived; handles arrive in order and without gaps. */
  #lastHandle = 0;

  /** Returns a Blob; rejects with `BadRequest` if it is unreadable, withdrawn or taken. */
  take(handle: BlobHandle): Promise<Blob> {
    if (handle > this.#lastHandle) {
      return new Promise((resolve) => this.#awaited.set(handle, resolve));
    }
    const arrived = this.#arrived.get(handle) ?? UNREADABLE;
    this.#arrived.delete(handle);
    return settled(arrived);
  }

  /** Keeps a Blob, or the error that stands for it. */
  receive(handle: BlobHandle, blob: Blob | TreeglassError): void {
    this.#lastHandle = Math.max(this.#lastHandle, handle);
    const resolve = this.#awaited.get(handle);
    if (resolve === undefined) {
      this.#arrived.set(handle, blob);
    } else {
      this.#awaited.delete(handle);
      resolve(settled(blob));
    }
  }

  /** Notes that a Blob cannot be decoded: it has the handle after the last one. */
  receiveUnreadable(): void {
    this.receive(this.#lastHandle + 1, UNREADABLE);
  }

  /** Drops a Blob that no source will take. */
  withdraw(handle: BlobHandle): void {
    this.#arrived.delete(handle);
  }
}

async function settled(blob: Blob | TreeglassError): Promise<Blob> {
  if (blob instanceof TreeglassError) {
    throw blob;
  }
  return blob;
}
