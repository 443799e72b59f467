import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import type { DirectoryEntry, FileContent } from "../../src/sources/tree.ts";
import { CallView } from "../../src/worker/call-view.ts";
import { deferredDirectory, type Sketch } from "../support/deferred.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { startPython } from "../support/python/pyodide.ts";
import { connectRealClient } from "../support/real-client.ts";

type Remote = Extract<FileContent, { kind: "remote" }>;

function remote(text: string): Remote {
  return { kind: "remote", fetchWhole: async () => new TextEncoder().encode(text) };
}

/** Returns a directory of files that are fetched when they are read. */
function remoteFiles(texts: readonly string[]): DirectoryEntry {
  const children: DirectoryEntry["children"] = new Map();
  for (const [index, text] of texts.entries()) {
    const file = { kind: "file", sizeBytes: text.length, modifiedMs: 0 } as const;
    children.set(`f${index}`, { ...file, content: remote(text) });
  }
  return { kind: "directory", modifiedMs: 0, children };
}

const python = await startPython();

describe("a search over content that is not here", () => {
  /** Answers a call as a page does, and counts its runs. */
  const search = (root: string, name: string, args: object, limits = "") =>
    python.look(
      root,
      `
from treeglass import Config, Limits, ToolRegistry, Workspace
from treeglass.workspace.embedder import EmbedderFileSystem

system = EmbedderFileSystem(trees)
workspace = Workspace({"/repo": root}, file_system=system, limits=Limits(${limits}))
result = ToolRegistry(workspace, Config()).call_tool(${JSON.stringify(name)}, ${JSON.stringify(JSON.stringify(args))})
answer = [result.content, result.truncated, result.warnings]
`,
    );

  const texts = Array.from({ length: 300 }, (_, index) => (index === 7 ? "needle" : "hay"));

  for (const [name, args, expected] of [
    ["grep_files", { pattern: "needle", path: "/repo" }, /^\/repo\/f7$/],
    ["Grep", { pattern: "needle" }, /"file": "f7"/],
    ["Search", { pattern: "needle" }, /"files_scanned":300.*"content":"f7:1:1: needle"/],
  ] as const) {
    test(`${name} runs once more for all its files`, async () => {
      const root = python.mount(remoteFiles(texts));
      const { outcome, faults, runs } = await search(root, name, args);
      assert(Array.isArray(outcome));
      assert.match(String(outcome[0]), expected);
      assert.deepEqual([faults, runs], [[], 2]);
    });
  }

  test("each level of a tree is listed in one wait", async () => {
    const level = (sketch: Sketch) =>
      Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`d${index}`, sketch]));
    const root = python.mount(deferredDirectory(level(level({ "a.txt": "needle" }))));
    const { outcome, runs } = await search(root, "grep_files", {
      pattern: "needle",
      path: "/repo",
    });
    assert(Array.isArray(outcome));
    assert.equal(String(outcome[0]).split("\n").length, 36);
    // The top, two levels below it, and the files.
    assert.equal(runs, 5);
  });

  test("files beyond a ceiling are not fetched, and a warning says so", async () => {
    const root = python.mount(remoteFiles(["needle", "needle", "needle", "needle"]));
    const args = { pattern: "needle", path: "/repo" };
    const byFiles = await search(root, "grep_files", args, "max_fetched_files=3");
    const fetched = "A search fetches at most 3 files and 67,108,864 bytes, so 1 file was";
    assert.deepEqual(byFiles.outcome, [
      "/repo/f0\n/repo/f1\n/repo/f2",
      true,
      [`${fetched} not searched; narrow path or include.`, SAME_TIME],
    ]);
    // What the call before has fetched is here.
    const goesOn = await search(root, "grep_files", args, "max_fetched_files=3");
    assert.deepEqual(goesOn.outcome, [
      "/repo/f0\n/repo/f1\n/repo/f2\n/repo/f3",
      false,
      [SAME_TIME],
    ]);
  });

  test("bytes beyond a ceiling are not fetched", async () => {
    const tree = () => python.mount(remoteFiles(["needle", "needle"]));
    const grep = await search(tree(), "Grep", { pattern: "needle" }, "max_fetched_bytes=11");
    assert(Array.isArray(grep.outcome));
    assert.match(
      String(grep.outcome[0]),
      /a search fetches at most 10,000 files and 11 bytes; narrow path or include/,
    );
    const found = await search(tree(), "Search", { pattern: "needle" }, "max_fetched_bytes=11");
    assert(Array.isArray(found.outcome));
    assert.match(String(found.outcome[0]), /"completion":"truncated"/);
    assert.deepEqual(found.outcome.slice(1), [true, ["1 file was not searched; narrow path."]]);
  });
});

const SAME_TIME = "All files have the same time, so they are sorted by path.";

test("a long wait tells how much has arrived", async (context: TestContext) => {
  let nowMs = 0;
  context.mock.method(performance, "now", () => {
    nowMs += 30;
    return nowMs;
  });
  const view = new CallView();
  view.expectAll();
  for (const content of Array.from({ length: 10 }, () => remote("text"))) {
    assert.equal(view.fetch(content), null);
  }
  const events: (readonly [number, number])[] = [];
  await view.wait(new AbortController().signal, (...event) => events.push(event));
  assert.deepEqual(events, [
    [4, 10],
    [8, 10],
  ]);
});

describe("a manifest of 5,000 files", () => {
  const COUNT = 5000;
  let server: Loopback;
  let client: TreeglassClient;
  before(async () => {
    [server, client] = await Promise.all([startLoopback(), connectRealClient()]);
    const entries = Array.from({ length: COUNT }, (_, index) => {
      const text = index % 1000 === 999 ? "the needle\n" : "some hay\n";
      const path = `d${index % 50}/f${index}.txt`;
      server.put(`/${path}`, { body: text });
      return { path, kind: "file", size_bytes: text.length, modified_ms: index };
    });
    const body = JSON.stringify({ manifest_version: 1, entries });
    server.put("/tree.json", { body });
  });
  after(async () => {
    await client.close();
    await server.close();
  });

  test("is searched in one call, and each file is requested once", async () => {
    await client.mount("/repo", { url: `${server.address}tree.json` });
    const args = { pattern: "needle", path: "/repo" };
    const { content } = await client.callTool("grep_files", args, { timeoutMs: 120_000 });
    assert.equal(
      content,
      [4999, 3999, 2999, 1999, 999].map((index) => `/repo/d49/f${index}.txt`).join("\n"),
    );
    assert.equal(server.asked.length, COUNT + 1);
    assert.equal(new Set(server.asked).size, COUNT + 1);
  });

  test("is no longer fetched once the call is aborted", async () => {
    const held = { path: "held.txt", kind: "file", size_bytes: 1 };
    const others = Array.from({ length: 100 }, (_, index) => ({ ...held, path: `o${index}` }));
    const entries = [held, ...others];
    server.put("/held.json", { body: JSON.stringify({ manifest_version: 1, entries }) });
    const controller = new AbortController();
    for (const { path } of entries) {
      // Never answered.
      server.put(`/${path}`, () => controller.abort());
    }
    await client.mount("/held", { url: `${server.address}held.json` });
    const before = server.asked.length;
    const { signal } = controller;
    const call = client.callTool("grep_files", { pattern: "x", path: "/held" }, { signal });
    await assert.rejects(call, { name: "AbortError" });
    assert.equal((await client.callTool("list_dir", { dir_path: "/held" })).isError, false);
    assert(server.asked.length - before <= 16);
  });
});
