/** Files that stay on the page until the worker asks for one. */
import { isCount } from "../protocol/checks.ts";
import { DESK_CLOSED, type DeskReply } from "../protocol/messages.ts";
import type { BlobHandover } from "./runtime/blob-handover.ts";

/** Returns a file, after a wait where the browser wants one. */
export type FileGiver = () => File | Promise<File>;

/**
 * Hands over one file at a time.
 *
 * To clone a file, or to ask for its size, a browser goes to the disk while the page waits: half a
 * millisecond each, half a minute for a large folder. So nothing is touched before it is wanted.
 */
export class FileDesk {
  /** The worker's end, to be transferred. */
  readonly counter: MessagePort;
  readonly #port: MessagePort;
  readonly #blobs: BlobHandover;
  #isClosed = false;

  /** The files go to the worker by `blobs`, and the counter says which is which. */
  constructor(files: readonly FileGiver[], blobs: BlobHandover) {
    this.#blobs = blobs;
    const { port1, port2 } = new MessageChannel();
    this.counter = port2;
    this.#port = port1;
    port1.addEventListener("message", ({ data: index }) => this.#hand(files, index));
    port1.start();
  }

  /** Lets go of the files, and says so: a worker that waits for one must not wait forever. */
  close(): void {
    this.#isClosed = true;
    this.#port.postMessage(DESK_CLOSED);
    this.#port.close();
  }

  async #hand(files: readonly FileGiver[], index: unknown): Promise<void> {
    if (!isCount(index)) {
      return;
    }
    const file = await readableFile(files[index]);
    // What is handed over when nobody can be told of it any more would stay for good.
    if (!this.#isClosed) {
      this.#port.postMessage(this.#replyOf(index, file));
    }
  }

  #replyOf(index: number, file: File | null): DeskReply {
    try {
      if (file !== null) {
        return { index, file: this.#blobs.give(file), modifiedMs: file.lastModified };
      }
    } catch {
      // What only calls itself a file cannot be sent.
    }
    return { index, file: null, modifiedMs: 0 };
  }
}

async function readableFile(give: FileGiver | undefined): Promise<File | null> {
  try {
    const file = await give?.();
    if (file?.size === 0) {
      // One that is gone from the disk looks empty until somebody reads it.
      await file.arrayBuffer();
    }
    return file ?? null;
  } catch {
    return null;
  }
}
