/** A client and the worker's side of the protocol, over real channels. */
import assert from "node:assert/strict";
import { TreeglassClient } from "../../src/client/client.ts";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import { ElapsedClock } from "../../src/protocol/stopwatch.ts";
import type { ChangeOptions } from "../../src/session/kept-state.ts";
import { inPage } from "../../src/session/start-failure.ts";
import { WorkerOwner } from "../../src/session/worker-owner.ts";
import type { WorkerEvent, WorkerLike } from "../../src/session/worker-process.ts";
import { WorkerSession } from "../../src/session/worker-session.ts";
import type { BlobReader } from "../../src/sources/random-access.ts";
import { serve } from "../../src/worker/serve.ts";
import type { Runtime, RuntimeStarter } from "../../src/worker/start/runtime.ts";
import { mountDirectories, type TreeCalls } from "../../src/worker/tree-calls.ts";
import { ASSETS, clientHostWith, NO_ZLIB, workerHostWith } from "./hosts.ts";

/**
 * The interpreter's answers to methods, or functions that return them, if a test sets them; may
 * change at any time.
 */
export type Answers = Record<string, unknown>;

export const RESULT = {
  content: "Absolute path: /repo",
  structuredContent: null,
  isError: false,
  error: null,
  truncated: false,
  nextArguments: null,
  warnings: [],
  elapsedMs: 1,
};

export const DEFINITION = {
  name: "list_dir",
  title: "List directory",
  description: "Lists entries.",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
};

/** Keeps account of the trees that are mounted, of all clients of one worker. */
export class MountAccount {
  readonly #trees: TreeCalls[] = [];

  add(trees: TreeCalls): void {
    this.#trees.push(trees);
  }

  clear(): void {
    this.#trees.length = 0;
  }

  /** The directories that have a tree, of the first ones that a worker gives. */
  get mounted(): ReadonlySet<string> {
    const directories = mountDirectories();
    const first = Array.from({ length: 32 }, directories);
    return new Set(
      first.filter((path) => this.#trees.some((trees) => typeof trees.list(path) === "string")),
    );
  }
}

export interface ConnectedOptions {
  readonly isUnreadableToWorker?: (data: unknown) => boolean;
  readonly isUnreadableToClient?: (data: unknown) => boolean;
  /** Picks messages that the worker's side cannot send, as one too large for a browser. */
  readonly isUnsendable?: (data: unknown) => boolean;
  readonly readBlob?: BlobReader;
  /** What `connect` takes for changes. */
  readonly changes?: ChangeOptions;
}

/** Stands for a message that cannot be read, in the order of the others. */
const UNREADABLE = "unreadable";

/** Hands on the messages of one port; one that `isUnreadable` picks arrives as a `messageerror`. */
function relay(from: MessagePort, to: MessagePort, isUnreadable = (_: unknown) => false): void {
  from.addEventListener("message", ({ data }) => {
    to.postMessage(isUnreadable(data) ? UNREADABLE : data);
  });
  from.start();
}

/** Lets a port tell of messages that cannot be read. */
function tellUnreadable(port: MessagePort): void {
  port.addEventListener("message", ({ data }) => {
    if (data === UNREADABLE) {
      port.dispatchEvent(new Event("messageerror"));
    }
  });
}

/** A worker that runs in the same thread. */
class WorkerInThread implements WorkerLike {
  readonly startWords = () => inPage("the assets");
  readonly #page: MessagePort;
  readonly #listeners = new Set<() => void>();

  constructor(page: MessagePort) {
    this.#page = page;
    page.start();
  }

  postMessage(message: unknown): void {
    this.#page.postMessage(message);
  }

  addEventListener(type: string, listener: (event: WorkerEvent) => void): void {
    if (type === "error") {
      this.#listeners.add(() => listener({ data: null, message: "out of memory" }));
    } else {
      this.#page.addEventListener(type, (event) =>
        listener({ data: "data" in event ? event.data : null }),
      );
    }
  }

  terminate(): void {
    this.#page.close();
  }

  crash(): void {
    for (const tell of this.#listeners) {
      tell();
    }
  }
}

/** An interpreter that answers as it is told. */
export function runtimeThatAnswers(
  answers: Answers,
  asked: unknown[],
  account = new MountAccount(),
): Runtime {
  return {
    late: null,
    zlib: () => NO_ZLIB,
    setInterruptBuffer: () => undefined,
    openBridge(trees) {
      account.add(trees);
      return (requestText) => {
        const request = JSON.parse(requestText);
        asked.push(request);
        const defaults = {
          callTool: { result: RESULT },
          listTools: { result: { tools: [DEFINITION] } },
        };
        const all: Answers = { ...defaults, ...answers };
        const known: unknown = all[String(request.method)] ?? { result: {} };
        const answer = typeof known === "function" ? known(request.params) : known;
        if (answer instanceof Error) {
          throw answer;
        }
        return JSON.stringify(answer);
      };
    },
  };
}

/** Returns the ends of a channel with the faults that the options ask for, and what is between. */
function openFaulty(options: ConnectedOptions) {
  const page = new MessageChannel();
  const worker = new MessageChannel();
  const post = worker.port2.postMessage.bind(worker.port2);
  worker.port2.postMessage = (message: unknown) => {
    if (options.isUnsendable?.(message)) {
      throw new DOMException("Data cannot be cloned, out of memory.", "DataCloneError");
    }
    post(message);
  };
  tellUnreadable(worker.port2);
  tellUnreadable(page.port1);
  relay(page.port2, worker.port1, options.isUnreadableToWorker);
  relay(worker.port1, page.port2, options.isUnreadableToClient);
  page.port2.addEventListener("close", () => worker.port1.close());
  return { page: page.port1, worker: worker.port2, between: worker.port1 };
}

/** Returns a started client, and the requests to its worker's interpreter. */
export async function connected(answers: Answers = {}, options: ConnectedOptions = {}) {
  const account = new MountAccount();
  const asked: unknown[] = [];
  const workers: WorkerInThread[] = [];
  const ports: MessagePort[] = [];
  const { readBlob = () => new Uint8Array() } = options;
  const starter: RuntimeStarter = {
    load: () => undefined,
    start: async (_folders, _image, report) => {
      report({ phase: "ready", loaded: 1, total: 1 });
      const runtime = runtimeThatAnswers(answers, asked, account);
      return { runtime, start: { way: "packages", reason: null, phases: [] } };
    },
  };
  const makeWorker = () => {
    account.clear();
    const { page, worker: end, between } = openFaulty(options);
    ports.push(between);
    serve(end, workerHostWith({ readBlob }), starter);
    end.start();
    const worker = new WorkerInThread(page);
    workers.push(worker);
    return worker;
  };
  const pageRuntime = new WorkerOwner(clientHostWith({ makeWorker }), ASSETS);
  const session = new WorkerSession(
    pageRuntime,
    { config: {}, projectRoot: "/repo" },
    options.changes,
  );
  const events: ProgressEvent[] = [];
  const clock = new ElapsedClock();
  const start = await pageRuntime
    .enter(session, (event) => events.push(event))
    .catch((error) => {
      session.close(error);
      throw error;
    });
  const client = TreeglassClient.of(session, clock.report(start));
  const [port] = ports;
  assert.ok(port);
  return { client, asked, events, account, port, workers };
}
