/** Files that stay on the page until the worker asks for one. */
import { isCount } from "../protocol/checks.ts";
import type { DeskReply } from "../protocol/messages.ts";

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

  /** Lets go of the files; what is asked afterwards is never answered. */
  close(): void {
    this.#port.close();
  }

  async #hand(files: readonly FileGiver[], index: unknown): Promise<void> {
    if (isCount(index)) {
      this.#port.postMessage(await replyOf(files[index], index));
    }
  }
}

async function replyOf(give: FileGiver | undefined, index: number): Promise<DeskReply> {
  try {
    const file = await give?.();
    return file === undefined
      ? { index, file: null, modifiedMs: 0 }
      : { index, file, modifiedMs: file.lastModified };
  } catch {
    return { index, file: null, modifiedMs: 0 };
  }
}
