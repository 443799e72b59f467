import assert from "node:assert/strict";
import { afterEach, describe, mock, test } from "node:test";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { PROTOCOL } from "../../src/protocol/messages.ts";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import { plain } from "../../src/session/sendable.ts";
import { inPage } from "../../src/session/start-failure.ts";
import type { StartFetch } from "../../src/session/start-files.ts";
import { WorkerChannel } from "../../src/session/worker-channel.ts";
import { WorkerOwner } from "../../src/session/worker-owner.ts";
import type { WorkerEvent, WorkerLike } from "../../src/session/worker-process.ts";
import { WorkerSession } from "../../src/session/worker-session.ts";
import { ASSETS, clientHostWith, withoutImage } from "../support/hosts.ts";
import { withReports } from "../support/reported-faults.ts";
import { openThreads } from "../support/threads.ts";

const REPORT = {
  path: "/repo",
  origin: null,
  files: 0,
  directories: 0,
  symlinks: 0,
  bytes: 0,
  elapsedMs: 1,
  skipped: [],
  renamed: [],
  converted: [],
};

/** A download that never ends. */
function stalled(): StartFetch {
  return { ...withoutImage(), files: new Promise(() => undefined) };
}

/** A worker that says hello, and then sends the messages of a test. */
class GreetingWorker implements WorkerLike {
  readonly startWords = () => inPage("the assets");
  isTerminated = false;
  readonly #hello: object;
  #tell: (event: WorkerEvent) => void = () => undefined;
  #tellError: (event: WorkerEvent) => void = () => undefined;

  constructor(hello: object) {
    this.#hello = hello;
  }

  postMessage(): void {}

  addEventListener(type: string, listener: (event: WorkerEvent) => void): void {
    if (type === "message") {
      this.#tell = listener;
      queueMicrotask(() => listener({ data: this.#hello }));
    } else if (type === "error") {
      this.#tellError = listener;
    }
  }

  terminate(): void {
    this.isTerminated = true;
  }

  /** Tells how far the start has come, which is the first thing that it is asked. */
  progress(event: ProgressEvent): void {
    this.#tell({ data: { type: "progress", id: 1, event } });
  }

  fail(message: string): void {
    this.#tellError({ data: null, message });
  }
}

function openGreeting(
  onProgress: () => void = () => undefined,
  hello: object = { type: "hello", protocol: PROTOCOL },
) {
  const worker = new GreetingWorker(hello);
  let forgotten = 0;
  const forget = () => {
    forgotten += 1;
  };
  const fetchStartFiles = () => ({ ...stalled(), forget });
  const host = clientHostWith({ makeWorker: () => worker, fetchStartFiles });
  const runtime = new WorkerOwner(host, ASSETS);
  const session = new WorkerSession(runtime, { config: {} });
  const outcome = runtime.enter(session, onProgress).catch(plainError);
  return { worker, runtime, session, outcome, countForgotten: () => forgotten };
}

const CLOSED = new TreeglassError("Closed", "The client was closed; connect again.");

describe("a start", () => {
  test("that is given up does not wait for a download", async () => {
    const { worker, session, outcome, countForgotten } = openGreeting();
    await new Promise((resolve) => setImmediate(resolve));
    session.close(CLOSED);
    assert.deepEqual(await outcome, plainError(CLOSED));
    assert.deepEqual([worker.isTerminated, countForgotten()], [true, 0]);
  });

  test("that the worker does not survive says so, and has the next one fetch anew", async () => {
    const { worker, session, outcome, countForgotten } = openGreeting();
    await new Promise((resolve) => setImmediate(resolve));
    worker.fail("out of memory");
    assert.deepEqual(await outcome, {
      name: "StartFailed",
      message:
        "The worker failed while it started: out of memory. Connect again; if it fails again, close other tabs, since it may be out of memory.",
    });
    assert.deepEqual([worker.isTerminated, countForgotten()], [true, 1]);
    session.close(CLOSED);
  });

  const others: [string, object, string][] = [
    ["another protocol", { protocol: PROTOCOL + 1 }, `speaks protocol ${PROTOCOL + 1}`],
    ["no protocol", {}, "names none"],
  ];
  for (const [what, named, theirs] of others) {
    test(`with a worker that names ${what} fails, and says how to deploy both`, async () => {
      const hello = { type: "hello", ...named };
      const { worker, session, outcome, countForgotten } = openGreeting(undefined, hello);
      assert.deepEqual(await outcome, {
        name: "StartFailed",
        message: `The client asked for a worker that speaks protocol ${PROTOCOL}, and the one that started ${theirs}: they are of different releases. Deploy the client's script and the assets folder of one release of the package.`,
      });
      assert.deepEqual([worker.isTerminated, countForgotten()], [true, 1]);
      session.close(CLOSED);
    });
  }

  test("tells all its listeners its progress, even if one of them throws", async () => {
    const fault = new Error("the page's own fault");
    const events: ProgressEvent[] = [];
    const reports = await withReports(async () => {
      const { worker, runtime, session, outcome } = openGreeting(() => {
        throw fault;
      });
      const other = new WorkerSession(runtime, { config: {} });
      const second = runtime.enter(other, (event) => events.push(event)).catch(plainError);
      await new Promise((resolve) => setImmediate(resolve));
      worker.progress({ phase: "ready", loaded: 1, total: 1 });
      session.close(CLOSED);
      other.close(CLOSED);
      assert.deepEqual(await Promise.all([outcome, second]), [
        plainError(CLOSED),
        plainError(CLOSED),
      ]);
    });
    assert.deepEqual([events, reports], [[{ phase: "ready", loaded: 1, total: 1 }], [fault]]);
  });

  test("that did without the image does not wait for it", async () => {
    const client = await openThreads({ fetchStartFiles: stalled }).connect();
    assert.deepEqual(await client.listTools(), []);
    await client.close();
  });

  test("that is shared is left at once by the client that aborts, and goes on for the other", async () => {
    const { runtime, connect } = openThreads();
    const connecting = connect();
    const leaving = new WorkerSession(runtime, { config: {} });
    let isThere = false;
    connecting.then(() => {
      isThere = true;
    });
    const outcome = runtime.enter(leaving, () => undefined).catch(plainError);
    leaving.close(CLOSED);
    assert.deepEqual([await outcome, isThere], [plainError(CLOSED), false]);
    const client = await connecting;
    assert.deepEqual(await client.listTools(), []);
    await client.close();
  });
});

describe("a mount that is restored", () => {
  afterEach(() => mock.timers.reset());

  /** A session with one mount, and a worker that says only that it has begun to restore it. */
  async function restoring() {
    const { runtime } = openThreads();
    const session = new WorkerSession(runtime, { config: {} });
    let isServed = false;
    const params = {
      path: "/repo",
      source: { kind: "entries", entries: {} },
      limits: {},
      skip: [],
      replace: false,
    } as const;
    const sendable = {
      wire: () => {
        isServed = true;
        return params;
      },
      release: () => {
        isServed = false;
      },
    };
    session.kept.keep({ report: REPORT, sendable });
    const { port1, port2 } = new MessageChannel();
    const heard: unknown[] = [];
    const channel = new WorkerChannel(port1, () => undefined);
    const began = new Promise<void>((resolve) => {
      port1.addEventListener("message", ({ data }) => data.type === "began" && resolve());
    });
    port2.addEventListener("message", ({ data }) => {
      heard.push([data.method ?? data.type, data.id]);
      if (data.method === "configure") {
        port2.postMessage({ type: "result", id: data.id, result: null });
      } else if (data.method === "mount") {
        port2.postMessage({ type: "began", id: data.id, run: 1 });
      } else if (data.type === "cancel") {
        port2.postMessage({ type: "cancelled", id: data.id });
      }
    });
    port1.start();
    port2.start();
    const attached = session.attach({ openClient: () => channel.openClient() });
    await began;
    const close = () => {
      session.close(CLOSED);
      port2.close();
    };
    return { session, attached, heard, close, isServed: () => isServed };
  }

  test("is cancelled and dropped if its source never answers", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { session, attached, heard, isServed, close } = await restoring();
    assert.equal(isServed(), true);
    mock.timers.tick(60_000);
    await attached;
    assert.deepEqual([[...session.kept.mounts], isServed()], [[], false]);
    assert.deepEqual(heard, [
      ["configure", 1],
      ["mount", 2],
      ["cancel", 2],
    ]);
    const call = session.send("callTool", plain({ name: "list_dir", arguments: "{}" }));
    assert.deepEqual(await call.catch(plainError), {
      name: "SourceUnreadable",
      message:
        "The worker was replaced, and what was mounted at '/repo' (it took longer than 60 s) could not be mounted again. The call was not made; mount what it needs, and make it again.",
    });
    close();
  });

  test("releases its objects of the page when the worker is gone", async () => {
    const { session, attached, isServed, close } = await restoring();
    session.detach();
    await attached;
    assert.deepEqual([[...session.kept.mounts.keys()], isServed()], [["/repo"], false]);
    close();
  });
});

/** An error of ours as its name and message. */
function plainError(error: unknown): unknown {
  return error instanceof TreeglassError ? { name: error.name, message: error.message } : error;
}
