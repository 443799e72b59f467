/** Clients whose workers are threads: these run while the page goes on, and can be ended. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { TreeglassClient } from "../../src/client/client.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { ElapsedClock } from "../../src/protocol/stopwatch.ts";
import { inPage } from "../../src/session/start-failure.ts";
import { WorkerOwner } from "../../src/session/worker-owner.ts";
import type { WorkerLike } from "../../src/session/worker-process.ts";
import { WorkerSession } from "../../src/session/worker-session.ts";
import { ASSETS, clientHostWith, withoutImage } from "./hosts.ts";

export interface Threads {
  /** One line for each worker that was made. */
  readonly made: unknown[];
  /** Resolves when the first call of the tool `hang` runs, and the page knows that it began. */
  readonly hangs: Promise<void>;
  readonly runtime: WorkerOwner;
  connect(): Promise<TreeglassClient>;
}

/** A thread takes no TypeScript. */
const [threadModule] = buildSync({
  entryPoints: [fileURLToPath(new URL("./spinning-thread.ts", import.meta.url))],
  bundle: true,
  platform: "node",
  format: "esm",
  write: false,
}).outputFiles;
assert.ok(threadModule);
const THREAD_ADDRESS = new URL(`data:text/javascript,${encodeURIComponent(threadModule.text)}`);

/** Returns a page whose clients share one worker. */
export function openThreads({
  sharesMemory = false,
  startsFailing = 0,
  interpreters = Number.POSITIVE_INFINITY,
  fetchStartFiles = withoutImage,
} = {}): Threads {
  const made: unknown[] = [];
  let hang: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => {
    // What the worker sent before over another port arrives in the same turn.
    hang = () => setImmediate(resolve);
  });
  const host = clientHostWith({
    makeWorker: () => {
      made.push(made.length + 1);
      const isBroken = made.length > 1 && made.length <= 1 + startsFailing;
      return isBroken ? brokenWorker() : threadAsWorker(hang, interpreters);
    },
    fetchStartFiles,
    sharesMemory,
  });
  const runtime = new WorkerOwner(host, ASSETS);
  return {
    made,
    hangs,
    runtime,
    async connect() {
      const session = new WorkerSession(runtime, { config: {} });
      const start = await runtime.enter(session, () => undefined);
      return TreeglassClient.of(session, new ElapsedClock().report(start));
    },
  };
}

/** `interpreters` says how many start in it. */
function threadAsWorker(onHang: () => void, interpreters: number): WorkerLike {
  const thread = new Worker(THREAD_ADDRESS, { workerData: { interpreters } });
  thread.on("message", (told) => {
    if (told === "hangs") {
      onHang();
    }
  });
  return {
    startWords: () => inPage("the assets"),
    postMessage: (message) => thread.postMessage(message),
    addEventListener: (type, listener) => {
      thread.on(type, (told: unknown) => {
        if (told !== "hangs") {
          listener(type === "error" ? { data: null, message: String(told) } : { data: told });
        }
      });
    },
    terminate: () => {
      thread.terminate();
    },
  };
}

/** A worker whose module does not load. */
function brokenWorker(): WorkerLike {
  return {
    startWords: () => inPage("the assets"),
    postMessage: () => undefined,
    addEventListener: (type, listener) => {
      if (type === "error") {
        queueMicrotask(() => listener({ data: null, message: "gone" }));
      }
    },
    terminate: () => undefined,
  };
}

/** How often a session looks whether a call that it stops has ended. */
const STOP_STEP_MS = 50;

/** Lets mocked time pass in steps, so that timers that other timers set run too. */
export function pass(durationMs: number): void {
  for (let passedMs = 0; passedMs <= durationMs; passedMs += STOP_STEP_MS) {
    mock.timers.tick(STOP_STEP_MS);
  }
}

export function timedOut(label: string, timeoutMs: number, recovery: string) {
  const message = `${label} ran longer than its ${timeoutMs} ms and was stopped. ${recovery} Ask for less at once, or pass a larger timeoutMs.`;
  return { name: "TimedOut", message };
}

export async function contentOf(client: TreeglassClient, name: string): Promise<unknown> {
  return JSON.parse((await client.callTool(name, {})).content);
}

/** Returns a promise's value or error; an error of ours as its name and message. */
export function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) =>
    error instanceof TreeglassError ? { name: error.name, message: error.message } : error,
  );
}
