/** A thread of the program in the role of a page's worker. */
import { type TransferListItem, Worker } from "node:worker_threads";
import type { ClientMessage, PageMessage } from "../../protocol/messages.ts";
import { didNotStart, type StartWords } from "../../session/start-failure.ts";
import type { WorkerEvent, WorkerLike } from "../../session/worker-process.ts";
import { isForbidden } from "./worker/host-faults.ts";

type Listener = (event: WorkerEvent) => void;

const START_WORDS: StartWords = {
  didNotLoad:
    "The thread did not start; it needs edge-worker.js of the installed package. If the program is bundled, install treeglass where it runs, or pass the package's folder assets as connect({ assets }); if it is not bundled, install treeglass again.",
  ifItFailsAgain: "give the program more memory, since it may be out of it",
  ifItTookTooLong: "try again when the machine has less to do",
};

const FORBIDDEN =
  "The thread did not start, because this program may not read the package; run Deno with --allow-read for the package's folder and for the folders that you mount.";

/** Starts a thread that does not keep the program running. */
export function startThread(module: URL): WorkerLike {
  const thread = makeThread(module);
  let isEnded = false;
  /** Settles when all Blobs so far are sent; other messages do not wait. See `HandoverNotice`. */
  let blobs: Promise<unknown> = Promise.resolve();
  const inTurn = (act: () => unknown) => {
    // A fault of one must not keep back those after it.
    blobs = blobs.then(act).catch(() => undefined);
  };
  const post = (message: unknown, transfer: Transferable[] = []) => {
    // Node's type of transferable objects differs from the browser's.
    thread.postMessage(message, transfer as unknown as TransferListItem[]);
  };
  const postContent = (handle: number, content: ArrayBuffer | null) => {
    try {
      // Transferred and not copied: it may be large, and the program does not use it.
      post({ type: "handover", handle, content }, content === null ? [] : [content]);
    } catch {
      // A request that names the handle must fail instead of waiting for it.
      post({ type: "handover", handle, content: null });
    }
  };
  return {
    startWords: START_WORDS,
    postMessage(message: PageMessage | ClientMessage, transfer) {
      if (message.type === "handover") {
        const { handle, blob } = message;
        // A thread cannot read a Blob synchronously.
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
        thread.on(type, (data: unknown) => listener({ data }));
        // Under Node, a listener makes the program wait for the thread.
        thread.unref();
      }
    },
    terminate() {
      isEnded = true;
      thread.terminate();
    },
  };
}

function makeThread(module: URL): Worker {
  try {
    // Without the program's flags: a loader, for example, is for the program's own modules.
    // An interpreter that dies prints traces with paths of the machine. They are left unread: a reader
    // of that stream would keep the program running.
    return new Worker(module, { execArgv: [], name: "treeglass", stderr: true });
  } catch (cause) {
    const words = isForbidden(cause) ? { ...START_WORDS, didNotLoad: FORBIDDEN } : START_WORDS;
    throw didNotStart(words, cause);
  }
}
