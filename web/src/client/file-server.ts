/** Files that stay on the page until the worker asks for one. */
import { isCount } from "../lib/checks.ts";
import { FILES_CLOSED, type FileReply } from "../protocol/messages.ts";
import type { SendBlob } from "../session/blob-sender.ts";
import { letProgramEnd } from "../session/idle-port.ts";

/** Returns a file, after a wait where the browser wants one. */
export type FileGiver = () => File | Promise<File>;

/** The page's end of files that the worker asks for. */
export interface FileServer {
  /** The worker's end, to be transferred. */
  readonly counter: MessagePort;
  /** Lets go of the files, and says so: a worker that waits for one must not wait forever. */
  close(): void;
}

/**
 * Hands over one file at a time by `handOver`, and tells the worker which is which.
 *
 * To clone a file, or to ask for its size, a browser goes to the disk while the page waits: half a
 * millisecond each, half a minute for a large folder. So nothing is touched before it is wanted.
 */
export function serveFiles(files: readonly FileGiver[], handOver: SendBlob): FileServer {
  const { port1, port2 } = new MessageChannel();
  let isClosed = false;
  const replyTo = async (index: number): Promise<FileReply> => {
    try {
      const file = await files[index]?.();
      if (file?.size === 0) {
        // One that is gone from the disk looks empty until somebody reads it.
        await file.arrayBuffer();
      }
      // What is handed over when nobody can be told of it any more would stay for good.
      if (file !== undefined && !isClosed) {
        return { index, file: handOver(file).handle, modifiedMs: file.lastModified };
      }
    } catch {
      // It is gone, or is something that only calls itself a file.
    }
    return { index, file: null, modifiedMs: 0 };
  };
  port1.addEventListener("message", async ({ data: index }) => {
    if (isCount(index)) {
      port1.postMessage(await replyTo(index));
    }
  });
  port1.start();
  letProgramEnd(port1);
  return {
    counter: port2,
    close() {
      isClosed = true;
      port1.postMessage(FILES_CLOSED);
      port1.close();
    },
  };
}
