import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { isRecord } from "../../src/lib/checks.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { PROTOCOL } from "../../src/protocol/messages.ts";
import type { TimedProgressEvent } from "../../src/protocol/mount-report.ts";
import { WorkerChannel } from "../../src/session/worker-channel.ts";
import {
  type Answers,
  type ConnectedOptions,
  connected,
  DEFINITION,
  RESULT,
} from "../support/connected.ts";
import { reportWith } from "../support/mounting.ts";

describe("a client and its worker", () => {
  let open: Awaited<ReturnType<typeof connected>>[] = [];
  beforeEach(() => {
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map(({ client }) => client.close()));
  });

  async function connect(answers: Answers = {}, options: ConnectedOptions = {}) {
    const one = await connected(answers, options);
    open.push(one);
    return one;
  }

  test("nothing is sent before the worker says hello", async () => {
    const { port1, port2 } = new MessageChannel();
    const channel = new WorkerChannel(port1, () => undefined);
    port1.start();
    let greeted = false;
    const hello = channel.hello.then(() => {
      greeted = true;
    });
    port2.postMessage({ type: "something else" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(greeted, false);
    port2.postMessage({ type: "hello", protocol: PROTOCOL });
    await hello;
    assert.equal(greeted, true);
    port1.close();
  });

  test("the start hands over the settings and tells its progress", async () => {
    const { asked, events } = await connect();
    assert.deepEqual(asked, [
      { method: "configure", params: { config: {}, projectRoot: "/repo" } },
    ]);
    assert.deepEqual(events, [{ phase: "ready", loaded: 1, total: 1 }]);
  });

  test("a tool call crosses as text and its result comes back", async () => {
    const { client, asked } = await connect();
    const options = {
      maxOutputBytes: 1500,
      availableCapacityBytes: 0,
      workingDir: "/repo/src",
      nullsAreAbsent: true,
      group: "turn 2",
    };
    const call = client.callTool(
      "list_dir",
      { dir_path: "/repo" },
      { ...options, timeoutMs: 1000 },
    );
    assert.deepEqual(await call, RESULT);
    assert.deepEqual(asked.at(-1), {
      method: "callTool",
      params: { name: "list_dir", arguments: '{"dir_path":"/repo"}', ...options, timeoutMs: 800 },
    });
  });

  test("the JSON text of a model is handed on as it is, and lone surrogates as escapes", async () => {
    const { client, asked } = await connect();
    await client.callTool("a\uD800b", '{"dir_path": "\uDC00 🌳", }');
    assert.deepEqual(asked.at(-1), {
      method: "callTool",
      params: { name: "a\uFFFDb", arguments: '{"dir_path": "\\udc00 🌳", }' },
    });
  });

  test("the tools are listed", async () => {
    const { client } = await connect();
    assert.deepEqual(await client.listTools(), [DEFINITION]);
  });

  test("a mount is reported, listed and taken away", async () => {
    const { client, asked, account } = await connect();
    const events: TimedProgressEvent[] = [];
    const { elapsedMs, ...report } = await client.mount(
      "/repo/",
      { entries: { "src/a.py": "text" } },
      { onProgress: (event) => events.push(event) },
    );
    assert.equal(typeof elapsedMs, "number");
    assert.deepEqual(report, reportWith({ path: "/repo", files: 1, directories: 1, bytes: 4 }));
    const [event] = events;
    assert.ok(event !== undefined && event.elapsedMs >= 0);
    assert.deepEqual(events, [{ phase: "mount", loaded: 1, total: 1, elapsedMs: event.elapsedMs }]);
    assert.deepEqual(asked.at(-1), {
      method: "mount",
      params: { path: "/repo", host: "/treeglass/mounts/1", replace: false },
    });
    assert.deepEqual(await client.mounts(), [{ ...report, elapsedMs }]);
    await client.unmount("/repo");
    assert.deepEqual([await client.mounts(), [...account.mounted]], [[], []]);
  });

  test("a source that the wheel refuses to mount is mounted nowhere", async () => {
    const error = { name: "WorkspaceInvalid", message: "'/repo' is mounted already" };
    const { client, account } = await connect({ mount: { error } });
    await assert.rejects(client.mount("/repo", { entries: {} }), error);
    assert.deepEqual([await client.mounts(), [...account.mounted]], [[], []]);
  });

  test("an aborted call rejects at once, and its late answer is dropped", async () => {
    const { client, asked } = await connect();
    const controller = new AbortController();
    const call = client.callTool("list_dir", "{}", { signal: controller.signal });
    controller.abort();
    await assert.rejects(call, { name: "AbortError" });
    assert.deepEqual(await client.callTool("read_file", "{}"), RESULT);
    const names = asked.slice(1).map((one) => JSON.stringify(one));
    assert.equal(
      names.at(-1),
      '{"method":"callTool","params":{"name":"read_file","arguments":"{}"}}',
    );
  });

  test("a call with a signal that is aborted already is never sent", async () => {
    const { client, asked } = await connect();
    const signal = AbortSignal.abort();
    await assert.rejects(client.callTool("list_dir", "{}", { signal }), { name: "AbortError" });
    await assert.rejects(client.mount("/repo", { entries: {} }, { signal }), {
      name: "AbortError",
    });
    await client.listTools();
    assert.deepEqual(asked.slice(1), [{ method: "listTools", params: {} }]);
  });

  test("an aborted mount leaves nothing, however far it had come, and the path is free", async () => {
    const { client, account } = await connect();
    for (const entryCount of [1, 100_000]) {
      const entries = Object.fromEntries(
        Array.from({ length: entryCount }, (_, index) => [`f${index}`, ""]),
      );
      const controller = new AbortController();
      const mount = client.mount("/repo", { entries }, { signal: controller.signal });
      setImmediate(() => controller.abort(new Error("enough")));
      await assert.rejects(mount, { message: "enough" });
      await client.listTools();
      assert.deepEqual([await client.mounts(), [...account.mounted]], [[], []]);
    }
  });

  test("a new configuration keeps the project root", async () => {
    const { client, asked } = await connect();
    await client.configure({ tools: { output: { max_bytes: 1500 } } });
    assert.deepEqual(asked.at(-1), {
      method: "configure",
      params: { config: { tools: { output: { max_bytes: 1500 } } }, projectRoot: "/repo" },
    });
  });

  test("a configuration that is refused rejects with the wheel's sentence", async () => {
    const error = {
      name: "ConfigInvalid",
      message: "tools.offers: unknown key; the known ones are …",
    };
    const answers: Answers = {};
    const { client, asked } = await connect(answers);
    answers.configure = { error };
    const config = { tools: Object.fromEntries([["offers", []]]) };
    await assert.rejects(client.configure(config), { ...error });
    assert.deepEqual(asked.slice(1), [
      { method: "configure", params: { config, projectRoot: "/repo" } },
    ]);
    assert.deepEqual(await client.listTools(), [DEFINITION]);
  });

  test("a call whose interpreter dies rejects with advice", async () => {
    const { client } = await connect({ callTool: new Error("RuntimeError: unreachable") });
    await assert.rejects(client.callTool("list_dir", "{}"), {
      name: "WorkerFailed",
      message: "The Python interpreter failed. The worker was replaced, and every mount is back.",
    });
  });

  test("closing rejects pending requests and later ones", async () => {
    const { client } = await connect();
    const closed = { name: "Closed" };
    const pending = assert.rejects(client.callTool("list_dir", "{}"), closed);
    await client.close();
    await pending;
    await assert.rejects(client.listTools(), closed);
    await assert.rejects(client.mount("/repo", { entries: {} }), closed);
  });

  test("the end of a block closes a client that the block uses", async () => {
    const { client } = await connect();
    {
      await using used = client;
      assert.deepEqual(await used.listTools(), [DEFINITION]);
    }
    await assert.rejects(client.listTools(), { name: "Closed" });
  });

  test("a worker that gets nonsense lets the wheel refuse it or ignores it, and goes on", async () => {
    const error = { name: "BadRequest", message: "method: Field required" };
    const { client, port } = await connect({ undefined: { error }, eval: { error } });
    const answers: { readonly type: string }[] = [];
    port.addEventListener("message", ({ data }) => answers.push(data));
    for (const message of [null, 7, { id: 900 }, { type: "request", id: 901, method: "eval" }]) {
      port.postMessage(message);
    }
    await client.listTools();
    assert.deepEqual(
      answers.filter(({ type }) => type === "error"),
      [900, 901].map((id) => ({ type: "error", id, ...error, loss: "nothing" })),
    );
  });

  test("requests that are not awaited are done in the order of the calls", async () => {
    const { client, asked } = await connect();
    await Promise.all([
      client.mount("/repo", { entries: {} }),
      client.callTool("list_dir", "{}"),
      client.unmount("/repo"),
      client.listTools(),
    ]);
    assert.deepEqual(methodsOf(asked), ["checkMount", "mount", "callTool", "unmount", "listTools"]);
  });

  test("a request that the worker cannot read is answered, and no other one", async () => {
    const isUnreadableToWorker = (data: unknown) => JSON.stringify(data).includes("unreadable");
    const { client } = await connect({}, { isUnreadableToWorker });
    const aborting = new AbortController();
    const [, call, aborted, second, listed] = await Promise.allSettled([
      client.mount("/repo", { entries: {} }),
      client.callTool("unreadable", {}),
      (() => {
        const options = { signal: aborting.signal };
        const pending = client.callTool("unreadable", {}, options);
        aborting.abort("enough");
        return pending;
      })(),
      client.callTool("unreadable", {}),
      client.listTools(),
    ]);
    const reason = {
      name: "BadRequest",
      message:
        "The worker could not read the request; send less at once, and nothing that is bound to the page.",
    };
    assert.deepEqual([call, second].map(reasonOf), [reason, reason]);
    assert.deepEqual(aborted, { status: "rejected", reason: "enough" });
    assert.deepEqual(listed, { status: "fulfilled", value: [DEFINITION] });
  });

  test("an answer that the client cannot read costs its request the worker, and no other", async () => {
    const isUnreadableToClient = (data: unknown) => JSON.stringify(data).includes("absolute path");
    const answers = { callTool: { result: { ...RESULT, content: "absolute path" } } };
    const { client } = await connect(answers, { isUnreadableToClient });
    const reason = {
      name: "WorkerFailed",
      message:
        "A message of the worker could not be read. The worker was replaced, and every mount is back.",
    };
    const [call, mount] = await Promise.allSettled([
      client.callTool("x", {}),
      client.mount("/r", { entries: {} }),
    ]);
    assert.deepEqual([reasonOf(call), mount.status], [reason, "fulfilled"]);
    assert.deepEqual(await client.listTools(), [DEFINITION]);
  });
});

function methodsOf(asked: readonly unknown[]): unknown[] {
  return asked.slice(1).map((one) => isRecord(one) && one.method);
}

function reasonOf(outcome: PromiseSettledResult<unknown> | undefined): unknown {
  if (outcome?.status !== "rejected" || !(outcome.reason instanceof TreeglassError)) {
    return outcome;
  }
  return { name: outcome.reason.name, message: outcome.reason.message };
}
