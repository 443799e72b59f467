import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { plain } from "../../src/session/sendable.ts";
import { WorkerChannel } from "../../src/session/worker-channel.ts";
import { WorkerOwner } from "../../src/session/worker-owner.ts";
import { WorkerSession } from "../../src/session/worker-session.ts";
import { ClientMounts } from "../../src/worker/client-mounts.ts";
import { MountedTrees } from "../../src/worker/mounted-trees.ts";
import { mountDirectories } from "../../src/worker/tree-calls.ts";
import { connected, MountAccount } from "../support/connected.ts";
import { ASSETS, clientHostWith } from "../support/hosts.ts";

type Answer = (id: number) => object | null;

const CLOSED = new TreeglassError("Closed", "The client was closed; connect again.");

describe("a session", () => {
  let session: WorkerSession;
  const ports: MessagePort[] = [];
  afterEach(() => {
    session.close(CLOSED);
    for (const port of ports.splice(0)) {
      port.close();
    }
  });

  function open() {
    let ended = 0;
    const host = clientHostWith({
      makeWorker: () => {
        throw new Error("no worker is needed here");
      },
    });
    const runtime = new WorkerOwner(host, ASSETS, () => {
      ended += 1;
    });
    session = new WorkerSession(runtime, { config: {} });
    return { session, countEnds: () => ended };
  }

  /** Returns a worker that answers each method as given, and keeps the requests that it heard. */
  function playWorker(answers: Readonly<Record<string, Answer>>) {
    const { port1, port2 } = new MessageChannel();
    const heard: unknown[] = [];
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    port2.addEventListener("message", ({ data }) => {
      heard.push([data.method ?? data.type, data.id]);
      if (data.type === "close") {
        close();
      }
      const answer = answers[data.method]?.(data.id);
      if (answer) {
        port2.postMessage({ id: data.id, ...answer });
      }
    });
    port2.start();
    port1.start();
    ports.push(port1);
    const channel = new WorkerChannel(port1, () => undefined);
    return { openClient: () => channel.openClient(), heard, closed };
  }

  const configured = { type: "result", result: null };

  test("ends with the reason if the next worker refuses its settings", async () => {
    const { session, countEnds } = open();
    const first = playWorker({ configure: () => configured });
    await session.attach(first);
    session.detach();
    const message = "The configuration is not read any more.";
    const refusal = { type: "error", name: "ConfigInvalid", message, loss: "nothing" };
    const second = playWorker({ configure: () => refusal });
    await session.attach(second);
    await assert.rejects(session.send("listTools", plain({})), {
      name: "WorkerFailed",
      message: `The worker failed, and no other could take its place: It did not take the settings: ${message} Close this client and connect again.`,
    });
    await second.closed;
    assert.deepEqual(second.heard, [
      ["configure", 1],
      ["close", undefined],
    ]);
    assert.equal(countEnds(), 1);
  });
});

describe("a request of a page", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  async function open() {
    const one = await connected();
    close = () => one.client.close();
    return one;
  }

  test("is sent as it was, despite later changes by the page", async () => {
    const { client, asked, workers } = await open();
    const config = { tools: { offered: ["LS"] } };
    const limits = { maxDepth: 3 };
    const skip = ["docs"];
    const configured = client.configure(config);
    const mounted = client.mount(
      "/repo",
      { entries: { "docs/a": "", "b/c": "" } },
      { limits, skip },
    );
    config.tools.offered = [];
    limits.maxDepth = 0;
    skip.pop();
    await configured;
    const { files } = await mounted;
    workers[0]?.crash();
    await client.listTools();
    const configurations = asked.flatMap((request) => {
      const { method, params } = Object(request);
      return method === "configure" ? [params.config] : [];
    });
    const offered = { tools: { offered: ["LS"] } };
    assert.deepEqual(configurations, [{}, offered, offered]);
    const again = (await client.mounts()).map((report) => report.files);
    assert.deepEqual([files, again], [1, [1]]);
  });

  test("is told of its progress if it listens, and tells of an arrived report if it replaces", async () => {
    const { client, port, workers } = await open();
    const told: string[] = [];
    port.addEventListener("message", ({ data }) => told.push(data.type));
    const [worker] = workers;
    assert.ok(worker);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message) => {
      told.push(Object(message).type);
      post(message);
    };
    const tree = { entries: { "a.txt": "text" } };
    await client.mount("/repo", tree);
    await client.mount("/repo", tree, { replace: true, onProgress: () => undefined });
    assert.deepEqual(told, [
      ...["request", "began", "result"],
      ...["request", "began", "progress", "result", "acknowledge"],
    ]);
  });

  test("is reported in the order of mounting, a replaced mount last", async () => {
    const { client, workers } = await open();
    for (const path of ["/one", "/two", "/one"]) {
      await client.mount(path, { entries: {} }, { replace: true });
    }
    const pathsOf = async () => (await client.mounts()).map(({ path }) => path);
    const before = await pathsOf();
    workers[0]?.crash();
    await client.listTools();
    assert.deepEqual([before, await pathsOf()], Array(2).fill(["/two", "/one"]));
  });
});

test("a mount that cannot be removed does not keep others from removal", () => {
  const bridge = (requestText: string) => {
    const { method, params } = JSON.parse(requestText);
    const isStuck = method === "unmount" && params.path === "/one";
    const error = { name: "WorkspaceInvalid", message: "stuck" };
    return JSON.stringify(isStuck ? { error } : { result: {} });
  };
  const directories = mountDirectories();
  const trees = new MountedTrees({ late: null }, directories);
  const account = new MountAccount();
  account.add(trees.calls);
  const mounts = new ClientMounts(bridge, trees);
  const root = { kind: "directory", modifiedMs: 0, children: new Map() } as const;
  mounts.add(1, "/one", root, false);
  mounts.add(2, "/two", root, false);
  assert.throws(() => mounts.removeAll(), { name: "WorkspaceInvalid", message: "stuck" });
  assert.deepEqual([...account.mounted], ["/treeglass/mounts/1"]);
});
