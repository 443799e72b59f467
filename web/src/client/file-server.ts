/** Serves the files that stay on the page until the worker requests one. */
import { isCount } from "../lib/checks.ts";
import { FILES_CLOSED, type FileReply } from "../protocol/source-kinds.ts";
import type { SendBlob } from "../session/blob-sender.ts";
import { letProgramEnd } from "../session/idle-port.ts";

/** Returns a file; some browsers can give it only after a wait. */
export type FileGiver = () => File | Promise<File>;

export interface FileServer {
  /** The worker's end, to be transferred. */
  readonly port: MessagePort;
  /** Releases the files and tells the worker, so that no call waits for one forever. */
  close(): void;
}

/**
 * Sends each requested file by `sendBlob`, and its handle over the port.
 *
 * Touches no file before the worker requests it: to clone a file or to read its size, a browser
 * goes to the disk while the page waits, half a millisecond each, half a minute for a large folder.
 */
export function serveFiles(files: readonly FileGiver[], sendBlob: SendBlob): FileServer {
  const { port1, port2 } = new MessageChannel();
  let isClosed = false;
  const replyTo = async (index: number): Promise<FileReply> => {
    try {
      const file = await files[index]?.();
      if (file?.size === 0) {
        // A file that is gone from the disk looks empty until it is read.
        await file.arrayBuffer();
      }
      // A Blob that is sent after the end would stay in the worker for good: no reply names it.
      if (file !== undefined && !isClosed) {
        return { index, file: sendBlob(file).handle, modifiedMs: file.lastModified };
      }
    } catch {
      // The file is gone, or is not a real file.
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
    port: port2,
    close() {
      isClosed = true;
      port1.postMessage(FILES_CLOSED);
      port1.close();
    },
  };
}
