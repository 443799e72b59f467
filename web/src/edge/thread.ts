/** A thread of the program as a worker. */
import { type TransferListItem, Worker } from "node:worker_threads";
import type { WorkerEvent, WorkerLike } from "../client/runtime/worker-process.ts";
import type { ClientMessage, PageMessage } from "../protocol/messages.ts";

type Listener = (event: WorkerEvent) => void;

/** Starts a thread that lets the program end. */
export function startThread(module: URL): WorkerLike {
  // Flags of the program, such as a loader's, are none of the thread's business.
  const thread = new Worker(module, { execArgv: [], name: "treeglass" });
  let isEnded = false;
  /** Blobs keep their order, and nothing else waits for them; see `HandoverNotice`. */
  let blobs: Promise<unknown> = Promise.resolve();
  const post = (message: unknown, transfer: Transferable[] = []) => {
    // Node's own type of what can be transferred is another one than the browser's.
    thread.postMessage(message, transfer as unknown as TransferListItem[]);
  };
  return {
    postMessage(message: PageMessage | ClientMessage, transfer) {
      if (message.type === "handover") {
        const { handle, blob } = message;
        // No thread can read a Blob while its caller waits.
        const content = blob.arrayBuffer().catch(() => null);
        blobs = blobs.then(async () => post({ type: "handover", handle, content: await content }));
      } else if (message.type === "withdraw") {
        blobs = blobs.then(() => post(message));
      } else {
        post(message, transfer);
      }
    },
    addEventListener(type: "message" | "messageerror" | "error", listener: Listener) {
      if (type === "error") {
        thread.on("error", (fault: unknown) => listener({ data: null, message: String(fault) }));
        thread.on("exit", (code) => {
          if (!isEnded) {
            listener({ data: null, message: `its thread ended with code ${code}` });
          }
        });
      } else {
        thread.on(type, (told: unknown) => listener({ data: told }));
        // Under Node, whoever begins to listen has the program wait for the thread.
        thread.unref();
      }
    },
    terminate() {
      isEnded = true;
      thread.terminate();
    },
  };
}
