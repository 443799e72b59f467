/** A thread of the program as a worker. */
import { type TransferListItem, Worker } from "node:worker_threads";
import type { ClientMessage, PageMessage } from "../../protocol/messages.ts";
import type { StartWords } from "../../session/start-failure.ts";
import type { WorkerEvent, WorkerLike } from "../../session/worker-process.ts";

type Listener = (event: WorkerEvent) => void;

const START_WORDS: StartWords = {
  didNotLoad:
    "The thread did not start; edge-worker.js has to lie beside edge.js, in the package as it is published: leave treeglass out of the program's bundle (external), or where it is not bundled, install it again.",
  ifItFailsAgain: "give the program more memory, since it may be out of it",
  ifItTookTooLong: "try again when the machine has less to do",
};

/** Starts a thread that lets the program end. */
export function startThread(module: URL): WorkerLike {
  // Flags of the program, such as a loader's, are none of the thread's business.
  const thread = new Worker(module, { execArgv: [], name: "treeglass" });
  let isEnded = false;
  /** Blobs keep their order, and nothing else waits for them; see `HandoverNotice`. */
  let blobs: Promise<unknown> = Promise.resolve();
  const inTurn = (act: () => unknown) => {
    // What goes wrong with one is no reason to keep back those after it.
    blobs = blobs.then(act).catch(() => undefined);
  };
  const post = (message: unknown, transfer: Transferable[] = []) => {
    // Node's own type of what can be transferred is another one than the browser's.
    thread.postMessage(message, transfer as unknown as TransferListItem[]);
  };
  const postContent = (handle: number, content: ArrayBuffer | null) => {
    try {
      // Not copied: it is the thread's alone, and may be large.
      post({ type: "handover", handle, content }, content === null ? [] : [content]);
    } catch {
      // Whoever was told of the handle must not wait for it.
      post({ type: "handover", handle, content: null });
    }
  };
  return {
    startWords: START_WORDS,
    postMessage(message: PageMessage | ClientMessage, transfer) {
      if (message.type === "handover") {
        const { handle, blob } = message;
        // No thread can read a Blob while its caller waits.
        const content = blob.arrayBuffer().catch(() => null);
        inTurn(async () => postContent(handle, await content));
      } else if (message.type === "withdraw") {
        inTurn(() => post(message));
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
