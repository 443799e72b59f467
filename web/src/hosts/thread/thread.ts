/** A thread of the program in the role of a page's worker. */
import { Worker } from "node:worker_threads";
import type { NumberedMessage, PageMessage } from "../../protocol/messages.ts";
import { cannotBeSent } from "../../protocol/refusals.ts";
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
  return new ThreadWorker(makeThread(module));
}

class ThreadWorker implements WorkerLike {
  readonly startWords = () => START_WORDS;
  readonly #thread: Worker;
  readonly #tellers: Listener[] = [];
  /** The ids of messages that wait until the Blobs before them are read. */
  readonly #waiting = new Set<number>();
  #turn: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  constructor(thread: Worker) {
    this.#thread = thread;
  }

  postMessage(message: PageMessage): void {
    // A thread cannot read a Blob synchronously. What belongs to a request that waits for one
    // waits too, as do later requests; a cancel of an earlier one does not.
    const waiting = this.#waiting;
    const isNumbered =
      message.type === "request" || message.type === "part" || message.type === "files";
    if (isNumbered && (waiting.size > 0 || blobOf(message) !== null)) {
      this.#postInTurn(message);
    } else if ("id" in message ? waiting.has(message.id) : waiting.size > 0) {
      this.#turn = this.#turn.then(() => this.#thread.postMessage(message));
    } else {
      this.#thread.postMessage(message);
    }
  }

  addEventListener(type: "message" | "messageerror" | "error", listener: Listener): void {
    if (type === "error") {
      this.#thread.on("error", (fault: unknown) =>
        listener({ data: null, message: String(fault) }),
      );
      this.#thread.on("exit", (code) => {
        if (!this.#isEnded) {
          listener({ data: null, message: `its thread ended with code ${code}` });
        }
      });
    } else {
      if (type === "message") {
        this.#tellers.push(listener);
      }
      this.#thread.on(type, (data: unknown) => listener({ data }));
      // Under Node, a listener makes the program wait for the thread.
      this.#thread.unref();
    }
  }

  terminate(): void {
    this.#isEnded = true;
    this.#thread.terminate();
  }

  #postInTurn(message: NumberedMessage): void {
    const content = blobOf(message)?.arrayBuffer();
    content?.catch(() => undefined);
    this.#waiting.add(message.id);
    this.#turn = this.#turn.then(async () => {
      // Empty if it cannot be read: the worker then refuses what needs it.
      const bytes = (await content?.catch(() => null)) ?? null;
      this.#waiting.delete(message.id);
      try {
        this.#postWith(bytes, message);
      } catch (cause) {
        const { name, message: reason } = cannotBeSent(cause);
        const data = { type: "error", id: message.id, name, message: reason, loss: "nothing" };
        for (const tell of this.#tellers) {
          tell({ data });
        }
      }
    });
  }

  #postWith(bytes: ArrayBuffer | null, message: NumberedMessage): void {
    if (blobOf(message) === null) {
      this.#thread.postMessage(message);
      return;
    }
    try {
      // Transferred and not copied: it may be large, and the program does not use it.
      this.#thread.postMessage(withContent(message, bytes), bytes === null ? [] : [bytes]);
    } catch {
      this.#thread.postMessage(withContent(message, null));
    }
  }
}

function blobOf(message: NumberedMessage): Blob | null {
  const content = contentOf(message);
  return content instanceof Blob ? content : null;
}

function contentOf(message: NumberedMessage): unknown {
  if (message.type === "files") {
    return message.reply?.joined;
  }
  return message.type === "request" &&
    message.method === "mount" &&
    message.params.source.kind === "archive"
    ? message.params.source.archive
    : null;
}

/** Returns a message with bytes in the place of its Blob. */
function withContent(message: NumberedMessage, content: ArrayBuffer | null): object {
  if (message.type === "files") {
    return { ...message, reply: { ...message.reply, joined: content } };
  }
  return message.type === "request" && message.method === "mount"
    ? {
        ...message,
        params: { ...message.params, source: { ...message.params.source, archive: content } },
      }
    : message;
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
