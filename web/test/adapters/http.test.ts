import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToolHandler } from "../../src/adapters/http.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import {
  answerOf,
  calling,
  ENTRIES,
  JSON_HEADERS,
  posted,
  REPLY_HEADERS,
  refused,
  SERVER,
  whole,
} from "../support/http-requests.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

const LISTING = "Absolute path: /repo\nREADME.md\nsrc/\n  main.py";

describe("the tools over HTTP", () => {
  let client: TreeglassClient;
  let handle: (request: Request) => Promise<Response>;
  before(async () => {
    client = await startRealClient(ENTRIES);
    handle = createToolHandler(client);
  });
  after(() => client.close());

  test("list themselves", async () => {
    const expected = {
      status: 200,
      headers: REPLY_HEADERS,
      body: { tools: await client.listTools() },
    };
    assert.deepEqual(await whole(await handle(new Request(`${SERVER}/tools?again`))), expected);
    const head = new Request(`${SERVER}/tools`, { method: "HEAD" });
    assert.deepEqual(await whole(await handle(head)), { ...expected, body: null });
  });

  for (const [what, name, args] of [
    ["a listing", "list_dir", '{"dir_path":"/repo"}'],
    ["a missing path", "read_file", '{"file_path":"/repo/nothing"}'],
    ["arguments that are wrong", "list_dir", '{"dir_path":7}'],
    ["a key of the prototype", "list_dir", '{"__proto__":{"dir_path":"/repo"}}'],
    ["a lone surrogate", "list_dir", '{"dir_path":"\\ud800"}'],
    ["brackets and quotes in a text", "read_file", String.raw`{"file_path":"/repo/}],\"{[:\\"}`],
    ["deep nesting", "list_dir", `{"dir_path":${"[".repeat(300)}${"]".repeat(300)}}`],
    ["a list", "list_dir", '[ "/repo" ]'],
    ["a number for arguments", "list_dir", "7"],
    ["an unknown tool", "rm\u0007", "{}"],
    ["a name that every object has", "constructor", "{}"],
  ] as const) {
    test(`${what} gets the client's own answer, sent as JSON or as text`, async () => {
      const expected = { ...(await client.callTool(name, args)), elapsedMs: 0 };
      const named = JSON.stringify(name);
      const asJson = posted(` { "name" : ${named} , "arguments" : ${args} } `);
      assert.deepEqual(await answerOf(await handle(asJson)), expected);
      const asText = calling({ arguments: args, name });
      assert.deepEqual(await answerOf(await handle(asText)), expected);
    });
  }

  test("take the last value of a member that stands twice", async () => {
    const twice = posted(
      '{"name":"LS","name":"list_dir","arguments":{"dir_path":7,"dir_path":"/repo"}}',
    );
    assert.deepEqual(await answerOf(await handle(twice)), {
      ...(await client.callTool("list_dir", { dir_path: "/repo" })),
      elapsedMs: 0,
    });
  });

  test("treat missing arguments and null as an empty object", async () => {
    const name = "list_dir";
    const expected = { ...(await client.callTool(name, "{}")), elapsedMs: 0 };
    for (const call of [{ name }, { name, arguments: null }]) {
      assert.deepEqual(await answerOf(await handle(calling(call))), expected);
    }
  });

  test("keep to the caller's bounds and to the server's", async () => {
    const call = { name: "list_dir", arguments: { dir_path: "/repo" } };
    const bounds = { maxOutputBytes: 30, availableCapacityBytes: 4000 };
    assert.deepEqual(await answerOf(await handle(calling({ ...call, ...bounds }))), {
      ...(await client.callTool("list_dir", call.arguments, bounds)),
      elapsedMs: 0,
    });
    // The smaller bound wins: first the caller's, then the server's.
    const roomy = createToolHandler(client, { output: { unit: "bytes", max: 1000 } });
    assert.deepEqual(await answerOf(await roomy(calling({ ...call, ...bounds }))), {
      ...(await client.callTool("list_dir", call.arguments, bounds)),
      elapsedMs: 0,
    });
    const narrow = createToolHandler(client, { output: { unit: "bytes", max: 40 } });
    const message = "No answer fits into 40 bytes; ask for less at once.";
    assert.deepEqual(await answerOf(await narrow(calling({ ...call, maxOutputBytes: 1000 }))), {
      ...(await client.callTool("rm", "{}")),
      content: message,
      error: { kind: "OutputTooLarge", message },
      elapsedMs: 0,
    });
    const inSrc = { name: "list_directory", arguments: { path: "." }, workingDir: "/repo/src" };
    assert.deepEqual(await answerOf(await handle(calling(inSrc))), {
      ...(await client.callTool("list_directory", { path: "." }, { workingDir: "/repo/src" })),
      elapsedMs: 0,
    });
  });

  test("are at the configured path", async () => {
    const deep = createToolHandler(client, { basePath: "/api/v1" });
    assert.equal((await deep(new Request(`${SERVER}/api/v1`))).status, 200);
    assert.equal((await deep(new Request(`${SERVER}/tools`))).status, 404);
    const top = createToolHandler(client, { basePath: "" });
    assert.equal((await top(new Request(SERVER))).status, 200);
    assert.equal((await top(new Request(`${SERVER}/call`))).status, 405);
  });

  test("run no tool that the caller is not offered, under any name", async () => {
    const policed = createToolHandler(client, { prefix: "repo_", deny: ["read_file"] });
    const args = { file_path: "/repo/README.md" };
    for (const name of ["read_file", "repo_read_file", "list_dir"]) {
      assert.deepEqual(await answerOf(await policed(calling({ name, arguments: args }))), {
        ...(await client.callTool("rm", "{}")),
        content: `Unknown tool: ${name}`,
        error: { kind: "UnknownTool", message: `Unknown tool: ${name}` },
        elapsedMs: 0,
      });
    }
  });

  test("run no tool that was added after the first request, and ask for no approval", async () => {
    const later = await startRealClient(ENTRIES);
    await later.configure({ tools: { offered: ["LS"] } });
    const asked: string[] = [];
    const policed = createToolHandler(later, {
      allow: ["LS"],
      approve: ({ name }) => asked.push(name) > 0,
    });
    await policed(new Request(`${SERVER}/tools`));
    await later.configure({ tools: { offered: ["LS", "list_directory"] } });
    const call = { name: "list_directory", arguments: {} };
    assert.deepEqual(await answerOf(await policed(calling(call))), {
      ...(await later.callTool("rm", "{}")),
      content: "Unknown tool: list_directory",
      error: { kind: "UnknownTool", message: "Unknown tool: list_directory" },
      elapsedMs: 0,
    });
    assert.deepEqual(asked, []);
    await later.close();
  });

  test("escape an unknown name as the registry does", async () => {
    // These ranges hold the bounds of all hostile ranges; lone surrogates follow below.
    for (const [first, last] of [
      [0, 0x4fff],
      [0x5000, 0x9fff],
      [0xa000, 0xd7ff],
      [0xe000, 0xffff],
      [0x1bc9e, 0x1bca5],
      [0x1d172, 0x1d17c],
      [0xdffff, 0xe1001],
    ] as const) {
      const codePoints = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const name = String.fromCodePoint(...codePoints);
      assert.deepEqual(await answerOf(await handle(calling({ name }))), {
        ...(await client.callTool(name, "{}")),
        elapsedMs: 0,
      });
    }
    const halves = "\ud800 \udbff \udc00 \udc7f \udc80 \udcff \udd00 \udfff";
    const spelled = String.raw`\u{D800} \u{DBFF} \u{DC00} \u{DC7F} \x{80} \x{FF} \u{DD00} \u{DFFF}`;
    const message = `Unknown tool: ${spelled}`;
    assert.deepEqual(await answerOf(await handle(calling({ name: halves }))), {
      ...(await client.callTool("rm", "{}")),
      content: message,
      error: { kind: "UnknownTool", message },
      elapsedMs: 0,
    });
  });

  test("say that a person denied the call", async () => {
    const asking = createToolHandler(client, { approve: () => false });
    const call = { name: "list_dir", arguments: { dir_path: "/repo" } };
    const summary = await client.summarizeCall("list_dir", call.arguments);
    const message = `The call was not approved: ${summary}. Go on without it, or ask for something else.`;
    assert.deepEqual(await answerOf(await asking(calling(call))), {
      content: message,
      structured: null,
      isError: true,
      error: { kind: "CallDenied", message },
      truncated: false,
      nextArguments: null,
      warnings: [],
      elapsedMs: 0,
    });
  });

  const LIST = { name: "list_dir", arguments: { dir_path: "/repo" } };

  test("stop a call whose sender leaves", async () => {
    const outcomes: string[] = [];
    const leaving = new AbortController();
    const watched = createToolHandler(client, {
      approve: () => {
        leaving.abort();
        return new Promise(() => undefined);
      },
      onCall: ({ outcome }) => outcomes.push(outcome),
    });
    const request = new Request(calling(LIST), { signal: leaving.signal });
    assert.deepEqual(await whole(await watched(request)), { status: 499, headers: {}, body: null });
    assert.deepEqual(outcomes, ["aborted"]);
  });

  test("keep callers with a client each apart", async () => {
    const other = await startRealClient({ "other.txt": "" });
    const shared = createToolHandler((request) =>
      request.headers.get("authorization") === "Bearer other" ? other : client,
    );
    const asOther = posted(JSON.stringify(LIST), {
      ...JSON_HEADERS,
      authorization: "Bearer other",
    });
    const answers = await Promise.all(
      [shared(asOther), shared(calling(LIST))].map(async (reply) => {
        const { content } = JSON.parse(await (await reply).text());
        return content;
      }),
    );
    assert.deepEqual(answers, ["Absolute path: /repo\nother.txt", LISTING]);
    await other.close();
  });

  test("say that they were closed, and that a call took too long", async () => {
    const closed = await startRealClient(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`file-${n}`, ""])),
    );
    const reply = createToolHandler(closed);
    await reply(new Request(`${SERVER}/tools`));
    const hurried = createToolHandler(closed, { timeoutMs: 1 });
    const long = { name: "list_dir", arguments: { dir_path: "/repo", limit: 20_000 } };
    assert.deepEqual(
      await whole(await hurried(calling(long))),
      refused(503, "TimedOut", "list_dir ran for too long and was stopped; ask for less at once."),
    );
    await closed.close();
    assert.deepEqual(
      await whole(await reply(calling(LIST))),
      refused(503, "Closed", "The tools were closed; no call can be made any more."),
    );
  });

  test("say that the interpreter failed, and answer the next request", async () => {
    const failed = new TreeglassError("WorkerFailed", "The worker ended: out of memory.");
    const reports = await withReports(async () => {
      const failing = createToolHandler(() => Promise.reject(failed));
      assert.deepEqual(
        await whole(await failing(calling(LIST))),
        refused(503, "WorkerFailed", "The server could not do what was asked; try it once more."),
      );
    });
    assert.deepEqual(reports, [failed]);
  });

  test("hide internal failures, and report them to the server", async () => {
    const fault = new Error("ENOENT /srv/secrets");
    const reports = await withReports(async () => {
      const failing = createToolHandler(() => Promise.reject(fault));
      assert.deepEqual(
        await whole(await failing(calling(LIST))),
        refused(500, "ServerFailed", "The server could not do what was asked; try it once more."),
      );
    });
    assert.deepEqual(reports, [fault]);
  });

  test("report an option that names a tool that is not offered", async () => {
    const reports = await withReports(async () => {
      const misnamed = createToolHandler(client, { allow: ["ls"] });
      assert.deepEqual(
        await whole(await misnamed(new Request(`${SERVER}/tools`))),
        refused(500, "BadRequest", "The server could not do what was asked; try it once more."),
      );
    });
    const message =
      'No tool "ls" is offered; offered are Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file. The option family of connect chooses which are offered.';
    assert.deepEqual(reports, [new TreeglassError("BadRequest", message)]);
  });
});
