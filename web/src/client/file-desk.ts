/** Files that stay on the page until the worker asks for one. */
import { isCount } from "../protocol/checks.ts";
import { DESK_CLOSED, type DeskReply } from "../protocol/messages.ts";

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

  constructor(files: readonly FileGiver[]) {
    const { port1, port2 } = new MessageChannel();
    this.counter = port2;
    this.#port = port1;
    port1.addEventListener("message", ({ data: index }) => this.#hand(files, index));
    port1.start();
  }

  /** Lets go of the files, and says so: a worker that waits for one must not wait forever. */
  close(): void {
    this.#port.postMessage(DESK_CLOSED);
    this.#port.close();
  }

  async #hand(files: readonly FileGiver[], index: unknown): Promise<void> {
    if (!isCount(index)) {
      return;
    }
    const reply = await replyOf(files[index], index);
    try {
      this.#port.postMessage(reply);
    } catch {
      // What only calls itself a file cannot be sent.
      this.#port.postMessage(noFile(index));
    }
  }
}

async function replyOf(give: FileGiver | undefined, index: number): Promise<DeskReply> {
  try {
    const file = await give?.();
    if (file === undefined) {
      return noFile(index);
    }
    if (file.size === 0) {
      // One that is gone from the disk looks empty until somebody reads it.
      await file.arrayBuffer();
    }
    return { index, file, modifiedMs: file.lastModified };
  } catch {
    return noFile(index);
  }
}

function noFile(index: number): DeskReply {
  return { index, file: null, modifiedMs: 0 };
}
