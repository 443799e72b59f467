/** Blobs that the page handed to the worker, until whoever was told of their handles takes them. */
import { TreeglassError } from "../protocol/errors.ts";
import type { BlobHandle } from "../protocol/source-kinds.ts";

/** What a request is answered with that came and could not be read. */
export const UNREADABLE = new TreeglassError(
  "BadRequest",
  "The worker could not read the request; send less at once, and nothing that is bound to the page.",
);

/**
 * Gives each Blob once, and waits for one that is named before it has arrived: its channel and the
 * port that names it have no order between them.
 *
 * A Blob stays until it is taken or withdrawn. One stays for good, where a reply of a page's desk
 * that names it could not be read: a reply is two numbers, so that this takes a browser in need.
 */
export class ReceivedBlobs {
  readonly #arrived = new Map<BlobHandle, Blob | TreeglassError>();
  readonly #awaited = new Map<BlobHandle, (blob: Promise<Blob>) => void>();
  /** The highest handle that has arrived; they arrive in their order, none left out. */
  #lastHandle = 0;

  /** Returns a Blob; rejects with `BadRequest` for one that is unreadable, withdrawn or taken. */
  take(handle: BlobHandle): Promise<Blob> {
    if (handle > this.#lastHandle) {
      return new Promise((resolve) => this.#awaited.set(handle, resolve));
    }
    const arrived = this.#arrived.get(handle) ?? UNREADABLE;
    this.#arrived.delete(handle);
    return settled(arrived);
  }

  /** Keeps a Blob, or why there is none. */
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

  /** Keeps in mind that a Blob came and could not be read: it was the one after the last. */
  receiveUnreadable(): void {
    this.receive(this.#lastHandle + 1, UNREADABLE);
  }

  /** Lets go of a Blob that nobody is to take any more. */
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
