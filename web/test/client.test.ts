import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { TreeglassClient } from "../src/client/client.ts";
import { WorkerChannel, type WorkerEndpoint } from "../src/client/worker-channel.ts";
import { TreeglassError } from "../src/protocol/errors.ts";
import type { ProgressEvent } from "../src/protocol/mounts.ts";
import type { EmscriptenFs } from "../src/worker/emscripten-fs.ts";
import type { Interpreter } from "../src/worker/interpreter.ts";
import { type MessageEndpoint, serve } from "../src/worker/serve.ts";

const RESULT = {
  content: "Absolute path: /repo",
  structured: null,
  isError: false,
  error: null,
  truncated: false,
  nextArguments: null,
  warnings: [],
  elapsedMs: 1,
};

const DEFINITION = {
  name: "list_dir",
  title: "List directory",
  description: "Lists entries.",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
};

/** A filesystem that only keeps account of its mounts; the real one is tested by itself. */
function accountOfMounts(): EmscriptenFs & { readonly mounted: Set<string> } {
  const mounted = new Set<string>();
  return {
    mounted,
    ErrnoError: class extends Error {
      constructor(errno: number) {
        super(`errno ${errno}`);
      }
    },
    createNode: () => {
      throw new Error("nothing looks into these mounts");
    },
    closeStream: () => undefined,
    mkdirTree: () => undefined,
    rmdir: () => undefined,
    mount: (_type, _options, mountpoint) => mounted.add(mountpoint),
    unmount: (mountpoint) => mounted.delete(mountpoint),
  };
}

function endpointOf(port: MessagePort): WorkerEndpoint & MessageEndpoint {
  return {
    postMessage: (message) => port.postMessage(message),
    addEventListener: (_type, listener) => {
      port.on("message", (data) => listener({ data }));
    },
  };
}

/** The client and the worker's side over a real channel, with an interpreter that is told what to say. */
async function connected(answers: Readonly<Record<string, unknown>> = {}) {
  const { port1, port2 } = new MessageChannel();
  const fs = accountOfMounts();
  const asked: unknown[] = [];
  const interpreter: Interpreter = {
    fs,
    handle(requestText) {
      const request = JSON.parse(requestText);
      asked.push(request);
      const defaults = {
        callTool: { result: RESULT },
        listTools: { result: { tools: [DEFINITION] } },
      };
      const answer = { ...defaults, ...answers }[String(request.method)] ?? { result: {} };
      if (answer instanceof Error) {
        throw answer;
      }
      return JSON.stringify(answer);
    },
  };
  serve(endpointOf(port2), {
    startInterpreter: async (_assets, report) => {
      report({ phase: "ready", loaded: 1, total: 1 });
      return interpreter;
    },
    readBlob: () => new Uint8Array(),
  });
  const channel = new WorkerChannel(endpointOf(port1));
  await channel.hello;
  const settings = { config: {}, projectRoot: "/repo" };
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => events.push(event);
  await channel.send("start", { assets: "https://example.test/", settings }, { onProgress });
  const client = new TreeglassClient(channel, settings, () => port1.close());
  return { client, asked, events, fs, port1 };
}

describe("a client and its worker", () => {
  let open: Awaited<ReturnType<typeof connected>>[] = [];
  beforeEach(() => {
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map(({ client }) => client.close()));
  });

  async function connect(answers: Readonly<Record<string, unknown>> = {}) {
    const one = await connected(answers);
    open.push(one);
    return one;
  }

  test("nothing is sent before the worker says hello", async () => {
    const { port1, port2 } = new MessageChannel();
    const channel = new WorkerChannel(endpointOf(port1));
    let greeted = false;
    const hello = channel.hello.then(() => {
      greeted = true;
    });
    port2.postMessage({ type: "something else" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(greeted, false);
    port2.postMessage({ type: "hello" });
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
    const options = { maxOutputBytes: 1500, availableCapacityBytes: 0, workingDir: "/repo/src" };
    assert.deepEqual(await client.callTool("list_dir", { dir_path: "/repo" }, options), RESULT);
    assert.deepEqual(asked.at(-1), {
      method: "callTool",
      params: { name: "list_dir", arguments: '{"dir_path":"/repo"}', ...options },
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
    const { client, asked, fs } = await connect();
    const events: ProgressEvent[] = [];
    const { elapsedMs, ...report } = await client.mount(
      "/repo/",
      { entries: { "src/a.py": "text" } },
      { onProgress: (event) => events.push(event) },
    );
    assert.equal(typeof elapsedMs, "number");
    assert.deepEqual(report, {
      path: "/repo",
      files: 1,
      directories: 1,
      symlinks: 0,
      bytes: 4,
      skipped: [],
      renamed: [],
      converted: [],
    });
    assert.deepEqual(events, [{ phase: "mount", loaded: 1, total: 1 }]);
    assert.deepEqual(asked.at(-1), {
      method: "mount",
      params: { path: "/repo", host: "/treeglass/mounts/1" },
    });
    assert.deepEqual(await client.mounts(), [{ ...report, elapsedMs }]);
    await client.unmount("/repo");
    assert.deepEqual([await client.mounts(), [...fs.mounted]], [[], []]);
  });

  test("what the wheel refuses to mount is mounted nowhere", async () => {
    const error = { kind: "WorkspaceInvalid", message: "'/repo' is mounted already" };
    const { client, fs } = await connect({ mount: { error } });
    await assert.rejects(client.mount("/repo", { entries: {} }), {
      name: "TreeglassError",
      ...error,
    });
    assert.deepEqual([await client.mounts(), [...fs.mounted]], [[], []]);
  });

  test("an aborted call rejects at once, and its late answer is dropped", async () => {
    const { client, asked } = await connect();
    const controller = new AbortController();
    const call = client.callTool("list_dir", {}, { signal: controller.signal });
    controller.abort();
    await assert.rejects(call, { name: "AbortError" });
    assert.deepEqual(await client.callTool("read_file", {}), RESULT);
    const names = asked.slice(1).map((one) => JSON.stringify(one));
    assert.equal(
      names.at(-1),
      '{"method":"callTool","params":{"name":"read_file","arguments":"{}"}}',
    );
  });

  test("a call with a signal that is aborted already is never sent", async () => {
    const { client, asked } = await connect();
    const signal = AbortSignal.abort();
    await assert.rejects(client.callTool("list_dir", {}, { signal }), { name: "AbortError" });
    await assert.rejects(client.mount("/repo", { entries: {} }, { signal }), {
      name: "AbortError",
    });
    await client.listTools();
    assert.deepEqual(asked.slice(1), [{ method: "listTools", params: {} }]);
  });

  test("an aborted mount leaves nothing, however far it had come, and the path is free", async () => {
    const { client, fs } = await connect();
    for (const entryCount of [1, 100_000]) {
      const entries = Object.fromEntries(
        Array.from({ length: entryCount }, (_, index) => [`f${index}`, ""]),
      );
      const controller = new AbortController();
      const mount = client.mount("/repo", { entries }, { signal: controller.signal });
      setImmediate(() => controller.abort(new Error("enough")));
      await assert.rejects(mount, { message: "enough" });
      await client.listTools();
      assert.deepEqual([await client.mounts(), [...fs.mounted]], [[], []]);
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
    const error = { kind: "ConfigInvalid", message: "tools.offers: unknown key" };
    const { client } = await connect();
    const refusing = await connect({ listTools: { error } });
    await assert.rejects(refusing.client.listTools(), { name: "TreeglassError", ...error });
    assert.deepEqual(await client.listTools(), [DEFINITION]);
  });

  test("an interpreter that dies rejects with what to do", async () => {
    const { client } = await connect({ callTool: new Error("RuntimeError: unreachable") });
    await assert.rejects(client.callTool("list_dir", {}), {
      kind: "WorkerFailed",
      message: "The Python interpreter failed; close this client and connect again.",
    });
  });

  test("an answer of the wrong shape is not passed on", async () => {
    const { client } = await connect({ callTool: { result: { content: 7 } } });
    await assert.rejects(client.callTool("list_dir", {}), {
      kind: "WorkerFailed",
      message: "The answer to callTool makes no sense.",
    });
  });

  test("a runtime that throws while it starts is a failed start, told in one line", async () => {
    const { port1, port2 } = new MessageChannel();
    serve(endpointOf(port2), {
      startInterpreter: async () => {
        throw new Error("Traceback:\n  File x\nImportError: no pydantic_core\n");
      },
      readBlob: () => new Uint8Array(),
    });
    const channel = new WorkerChannel(endpointOf(port1));
    const start = channel.send("start", {
      assets: "https://example.test/",
      settings: { config: {} },
    });
    await assert.rejects(start, {
      kind: "StartFailed",
      message:
        "The runtime failed while it started: ImportError: no pydantic_core. Serve every file of the package's assets folder, as it was published.",
    });
    port1.close();
  });

  test("closing rejects what is pending and whatever comes after", async () => {
    const { client } = await connect();
    const closed = { name: "TreeglassError", kind: "Closed" };
    const pending = assert.rejects(client.callTool("list_dir", {}), closed);
    await client.close();
    await pending;
    await assert.rejects(client.listTools(), closed);
    await assert.rejects(client.mount("/repo", { entries: {} }), closed);
  });

  test("a worker that gets nonsense answers it or ignores it, and goes on", async () => {
    const { client, port1 } = await connect();
    const answers: unknown[] = [];
    port1.on("message", (message) => answers.push(message));
    for (const message of [null, 7, { id: 900 }, { type: "request", id: 901, method: "eval" }]) {
      port1.postMessage(message);
    }
    await client.listTools();
    const refused = { type: "error", kind: "BadRequest" };
    const reason = "The request has values of the wrong type; see the types of the package.";
    assert.deepEqual(answers.slice(0, 2), [
      { ...refused, id: 900, message: reason },
      { ...refused, id: 901, message: reason },
    ]);
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const misuses: [string, (client: TreeglassClient) => Promise<unknown>, string][] = [
    ["a relative mount path", (c) => c.mount("repo", { entries: {} }), "WorkspaceInvalid"],
    [
      "a limit below 0",
      (c) => c.mount("/r", { entries: {} }, { limits: { maxDepth: -1 } }),
      "BadRequest",
    ],
    [
      "a limit nobody knows",
      (c) => c.mount("/r", { entries: {} }, { limits: Object.fromEntries([["maxFiles", 1]]) }),
      "BadRequest",
    ],
    [
      "a budget that is no number",
      (c) => c.callTool("x", {}, { maxOutputBytes: Number.NaN }),
      "BadRequest",
    ],
    ["circular arguments", (c) => c.callTool("x", circular), "BadRequest"],
    ["a circular configuration", (c) => c.configure(circular), "BadRequest"],
    ["a tool without a name", (c) => c.callTool(JSON.parse("null"), {}), "BadRequest"],
    [
      "an option nobody knows",
      (c) => c.callTool("x", {}, Object.fromEntries([["timeoutMs", 5]])),
      "BadRequest",
    ],
    [
      "an entry that cannot be cloned",
      (c) => c.mount("/r", { entries: { a: Object.assign(() => "", { content: "" }) } }),
      "BadRequest",
    ],
  ];
  for (const [what, misuse, kind] of misuses) {
    test(`${what} rejects with ${kind}, and the client goes on`, async () => {
      const { client } = await connect();
      await assert.rejects(
        misuse(client),
        (error) => error instanceof TreeglassError && error.kind === kind,
      );
      assert.deepEqual(await client.listTools(), [DEFINITION]);
    });
  }
});
