/** A Worker's clients keep their mounts when their interpreter dies, which it really does here. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { before, beforeEach, mock, test } from "node:test";
import type { PyodideAPI } from "pyodide";
import type { TreeglassClient } from "../../src/client/client.ts";
import type { ConnectOptions } from "../../src/client/connect-options.ts";
import { connectIsolate } from "../../src/hosts/isolate/connect-isolate.ts";
import {
  type PackageAssets,
  SharedInterpreter,
  startInterpreter,
} from "../../src/hosts/isolate/interpreter.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { isolateAssets } from "../support/isolate.ts";
import { startLoopback } from "../support/loopback.ts";
import { runAsRequest } from "../support/python/run-as-request.ts";

/** The interpreters of the isolate, in the order in which they were started. */
const started: PyodideAPI[] = [];
let assets: PackageAssets;
let isolate: SharedInterpreter;

before(async () => {
  // The interpreter tells the console of its death.
  mock.method(console, "error", () => undefined);
  assets = await isolateAssets((pyodide) => started.push(pyodide));
});

beforeEach(() => {
  started.length = 0;
  isolate = new SharedInterpreter(() => startInterpreter(assets));
});

/** Makes the isolate's present interpreter die at requests that contain a text. */
function doom(text: string): void {
  const pyodide = started.at(-1);
  assert.ok(pyodide);
  runAsRequest(
    pyodide,
    `
import os
from treeglass.bridge import bridge
result = bridge.Bridge._result
def result_or_death(self, request):
    return os.abort() if ${JSON.stringify(text)} in repr(request) else result(self, request)
bridge.Bridge._result = result_or_death
`,
  );
}

const connect = (options: ConnectOptions = {}) => connectIsolate(isolate, options);

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error) => (error instanceof TreeglassError ? [error.name, error.message] : error),
  );
}

async function listed(client: TreeglassClient, path: string): Promise<string> {
  const { content } = await client.callTool("list_dir", { dir_path: path });
  return content;
}

const FAILED = [
  "WorkerFailed",
  "The Python interpreter failed. The next call has another one, with the same mounts.",
];

const TREE = { entries: { "a.txt": "a\n" } };
const listing = (path: string) => `Absolute path: ${path}\na.txt`;

test("a call that the interpreter dies of is the only one lost, and the mounts are there again", async () => {
  const client = await connect();
  await client.mount("/one", TREE);
  await client.mount("/two", TREE);
  doom("/dies");
  assert.deepEqual(await refusalOf(listed(client, "/dies")), FAILED);
  assert.deepEqual(
    [await listed(client, "/one"), await listed(client, "/two"), started.length],
    [listing("/one"), listing("/two"), 2],
  );
});

test("what was proposed is there again in the next interpreter, with the decisions", async () => {
  const versions: number[] = [];
  const client = await connect({
    config: { tools: { offered: ["Write"], approval: { mode: "auto" } } },
    onChanges: ({ version }) => versions.push(version),
  });
  await client.mount("/one", TREE);
  await client.callTool("Write", { path: "b.txt", content: "b\n" }, { group: "turn 1" });
  await client.keep("/one/b.txt");
  doom("/dies");
  assert.deepEqual(await refusalOf(listed(client, "/dies")), FAILED);
  const { entries, steps } = await client.changes();
  assert.deepEqual(
    entries.map(({ path, operation, decision }) => [path, operation, decision]),
    [["/one/b.txt", "create", "kept"]],
  );
  assert.deepEqual(
    [steps.map(({ group }) => group), versions, started.length],
    [["turn 1"], [1], 2],
  );
  assert.equal(await listed(client, "/one"), `${listing("/one")}\nb.txt`);
});

test("an interpreter that dies while a client connects is replaced for the next client", async () => {
  await connect();
  doom("configure");
  assert.deepEqual(await refusalOf(connect()), FAILED);
  assert.deepEqual([await refusalOf(connect()), started.length], [null, 2]);
});

test("only the mount that kills the next interpreter is lost", async () => {
  const client = await connect();
  for (const path of ["/one", "/two", "/three"]) {
    await client.mount(path, TREE);
  }
  doom("/dies");
  await refusalOf(listed(client, "/dies"));
  await connect();
  doom("/two");
  const lost =
    "The Python interpreter failed. The worker was replaced, and what was mounted at '/two' (The Python interpreter failed) could not be mounted again.";
  assert.deepEqual(await refusalOf(listed(client, "/one")), ["WorkerFailed", lost]);
  assert.deepEqual(
    [await listed(client, "/one"), await listed(client, "/three"), started.length],
    [listing("/one"), listing("/three"), 3],
  );
  assert.deepEqual(
    (await client.mounts()).map(({ path }) => path),
    ["/one", "/three"],
  );
});

test("a client that hears late of the interpreter's death does not end the next one", async (context) => {
  const server = await startLoopback();
  context.after(() => server.close());
  const manifest = {
    manifest_version: 1,
    entries: [{ kind: "file", path: "late.txt", size_bytes: 5 }],
  };
  server.put("/manifest.json", { body: JSON.stringify(manifest) });
  const asked = new Promise<ServerResponse>((resolve) => server.put("/late.txt", resolve));
  const [one, other] = [await connect(), await connect()];
  await other.mount("/late", { url: `${server.address}manifest.json` });
  const waiting = refusalOf(other.callTool("read_file", { file_path: "/late/late.txt" }));
  const response = await asked;
  doom("callTool");
  assert.deepEqual(await refusalOf(listed(one, "/")), FAILED);
  await listed(one, "/");
  response.end("late\n");
  assert.deepEqual(await waiting, FAILED);
  await listed(one, "/");
  assert.deepEqual([await refusalOf(listed(other, "/late")), started.length], [null, 2]);
});

test("a connect that is given up during the start leaves a start that the next one joins", async () => {
  const left = new AbortController();
  const connecting = connect({ signal: left.signal });
  left.abort("left");
  assert.equal(await refusalOf(connecting), "left");
  assert.deepEqual([await refusalOf(connect()), started.length], [null, 1]);
});

test("an error of a progress listener does not keep a tree from being mounted", async () => {
  const fault = new Error("the listener's own");
  const onProgress = () => {
    throw fault;
  };
  const client = await connect({ onProgress });
  const { files } = await client.mount("/one", TREE, { onProgress });
  assert.equal(files, 1);
});

test("a call behind a mount that is aborted does not see its tree", async () => {
  const client = await connect();
  const controller = new AbortController();
  const mount = client.mount("/repo", TREE, {
    signal: controller.signal,
    onProgress: ({ phase }) => phase === "mount" && controller.abort("enough"),
  });
  const seen = listed(client, "/repo");
  assert.equal(await refusalOf(mount), "enough");
  assert.equal(await seen, "failed to read directory: No such file or directory (os error 2)");
  await client.close();
});
