import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToolHandler, type ToolHandlerOptions } from "../../src/adapters/http.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

const ENTRIES = { "README.md": "# Sample\n", "src/main.py": "def main():\n    return 0\n" };

const LISTING = "Absolute path: /repo\nREADME.md\nsrc/\n  main.py";

const SERVER = "http://127.0.0.1:8080";

const JSON_HEADERS = { "content-type": "application/json" };

type Asked = RequestInit & { readonly duplex?: "half" };

function posted(body: BodyInit, headers: HeadersInit = JSON_HEADERS): Request {
  const asked: Asked = { method: "POST", headers, body, duplex: "half" };
  return new Request(`${SERVER}/tools/call`, asked);
}

const calling = (call: unknown): Request => posted(JSON.stringify(call));

/** Returns all of a response that its receiver can tell from another one. */
async function whole(response: Response) {
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

const REPLY_HEADERS = {
  "cache-control": "no-store",
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
};

const refused = (status: number, kind: string, message: string, headers = {}) => ({
  status,
  headers: { ...REPLY_HEADERS, ...headers },
  body: { error: { kind, message } },
});

/** A tool's answer as it is sent, with the time that it took as 0. */
async function answerOf(response: Response) {
  const { status, headers, body } = await whole(response);
  assert.deepEqual([status, headers], [200, REPLY_HEADERS]);
  assert.ok(typeof body === "object" && body !== null && "elapsedMs" in body);
  return { ...body, elapsedMs: 0 };
}

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

  // Each as it is written: an object that was parsed would have lost what the tool refuses.
  for (const [what, name, args] of [
    ["a listing", "list_dir", '{"dir_path":"/repo"}'],
    ["a path that is not there", "read_file", '{"file_path":"/repo/nothing"}'],
    ["arguments that are wrong", "list_dir", '{"dir_path":7}'],
    ["a whole number with a fraction", "list_dir", '{"dir_path":"/repo","limit":1.0}'],
    ["a number that is too large", "list_dir", '{"dir_path":"/repo","limit":1e400}'],
    ["a number of many digits", "list_dir", '{"dir_path":"/repo","limit":12345678901234567890}'],
    ["a key that stands twice", "list_dir", '{"dir_path":"/repo","dir_path":"/repo/src"}'],
    ["a key of the prototype", "list_dir", '{"__proto__":{"dir_path":"/repo"}}'],
    ["half a character", "list_dir", '{"dir_path":"\\ud800"}'],
    ["brackets and quotes in a text", "read_file", String.raw`{"file_path":"/repo/}],\"{[:\\"}`],
    ["deep nesting", "list_dir", `{"dir_path":${"[".repeat(300)}${"]".repeat(300)}}`],
    ["a list", "list_dir", '[ "/repo" ]'],
    ["a number for arguments", "list_dir", "7"],
    ["an unknown tool", "rm\u0007", "{}"],
    ["the name of a method of every object", "constructor", "{}"],
  ] as const) {
    test(`${what} is answered as by the client, sent as JSON or as text`, async () => {
      const expected = { ...(await client.callTool(name, args)), elapsedMs: 0 };
      const named = JSON.stringify(name);
      const asJson = posted(` { "name" : ${named} , "arguments" : ${args} } `);
      assert.deepEqual(await answerOf(await handle(asJson)), expected);
      const asText = calling({ arguments: args, name });
      assert.deepEqual(await answerOf(await handle(asText)), expected);
    });
  }

  test("take no arguments, and null, for an empty object", async () => {
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
    // The caller's bound within a wider one of the server's, and beyond a narrower one.
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

  const SHAPE = '{ "name": "list_dir", "arguments": { "dir_path": "/repo" } }';
  const UNREADABLE = "The body is not valid JSON; send one JSON object.";
  const NO_JSON_TYPE =
    "The body has to be JSON in UTF-8; send it with Content-Type: application/json.";
  const DEEP = "[".repeat(1001);
  for (const [what, request, expected] of [
    [
      "an unknown path",
      () => new Request(`${SERVER}/tools/`),
      refused(
        404,
        "NotFound",
        "There is nothing at this path; GET /tools lists the tools, and POST /tools/call calls one.",
      ),
    ],
    [
      "a wrong method of the list",
      () => new Request(`${SERVER}/tools`, { method: "DELETE" }),
      refused(
        405,
        "MethodNotAllowed",
        "DELETE is not answered at this path; use GET, HEAD, OPTIONS.",
        { allow: "GET, HEAD, OPTIONS" },
      ),
    ],
    [
      "a wrong method of a call",
      () => new Request(`${SERVER}/tools/call`),
      refused(405, "MethodNotAllowed", "GET is not answered at this path; use POST, OPTIONS.", {
        allow: "POST, OPTIONS",
      }),
    ],
    [
      "a form",
      () => posted("name=LS", { "content-type": "application/x-www-form-urlencoded" }),
      refused(415, "UnsupportedMediaType", NO_JSON_TYPE, { "accept-post": "application/json" }),
    ],
    [
      "another charset",
      () => posted("{}", { "content-type": "application/json; charset=latin1" }),
      refused(415, "UnsupportedMediaType", NO_JSON_TYPE, { "accept-post": "application/json" }),
    ],
    [
      "a compressed body",
      () => posted("{}", { ...JSON_HEADERS, "content-encoding": "gzip" }),
      refused(
        415,
        "UnsupportedMediaType",
        "Compressed bodies are not read; send the body without Content-Encoding.",
        { "accept-encoding": "identity" },
      ),
    ],
    ["an empty body", () => posted(""), refused(400, "BadRequest", UNREADABLE)],
    ["what is no JSON", () => posted("{name:1}"), refused(400, "BadRequest", UNREADABLE)],
    [
      "bytes that are no UTF-8",
      () => posted(new Uint8Array([0x22, 0xff, 0x22])),
      refused(400, "BadRequest", "The body is not valid UTF-8; encode the JSON as UTF-8."),
    ],
    [
      "nesting that would end a small stack",
      () => posted(`{"name":"LS","arguments":${DEEP}`),
      refused(400, "BadRequest", "The body is nested more than 1,000 levels deep."),
    ],
    [
      "a list",
      () => posted("[]"),
      refused(400, "BadRequest", `The body has to be a JSON object: ${SHAPE}.`),
    ],
    [
      "no name",
      () => calling({ arguments: {} }),
      refused(400, "BadRequest", `The body has to name a tool: ${SHAPE}.`),
    ],
    [
      "a name that is none",
      () => calling({ name: ["LS"] }),
      refused(400, "BadRequest", `The body has to name a tool: ${SHAPE}.`),
    ],
    [
      "a misspelled member",
      () => calling({ name: "LS", args: {} }),
      refused(
        400,
        "BadRequest",
        'The body has no member "args"; it has name, arguments, maxOutputBytes, ' +
          "availableCapacityBytes, workingDir.",
      ),
    ],
    [
      "a member of the prototype",
      () => posted('{"name":"LS","__proto__":{}}'),
      refused(
        400,
        "BadRequest",
        'The body has no member "__proto__"; it has name, arguments, maxOutputBytes, ' +
          "availableCapacityBytes, workingDir.",
      ),
    ],
    [
      "a member that stands twice",
      () => posted('{"name":"LS","n\\u0061me":"list_dir"}'),
      refused(400, "BadRequest", "The body says name twice; say it once."),
    ],
    [
      "a budget below nothing",
      () => calling({ name: "LS", maxOutputBytes: -1 }),
      refused(400, "BadRequest", "maxOutputBytes is a whole number of bytes from 0 on."),
    ],
    [
      "a budget that is no number",
      () => calling({ name: "LS", availableCapacityBytes: null }),
      refused(400, "BadRequest", "availableCapacityBytes is a whole number of bytes from 0 on."),
    ],
    [
      "a relative directory to start from",
      () => calling({ name: "LS", workingDir: "src" }),
      refused(
        400,
        "BadRequest",
        "The workingDir \"src\" is not absolute; use a path such as '/repo'.",
      ),
    ],
  ] as const) {
    test(`${what} is refused`, async () => {
      assert.deepEqual(await whole(await handle(request())), expected);
    });
  }

  const TOO_LARGE = refused(
    413,
    "TooLarge",
    "The body is larger than the 1,000 bytes that are read; send less at once.",
  );

  test("stop reading a body that goes on for ever", async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(400).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    });
    const small = createToolHandler(client, { maxBodyBytes: 1000 });
    assert.deepEqual(await whole(await small(posted(body))), TOO_LARGE);
    assert.ok(pulled <= 5);
    assert.equal(cancelled, true);
  });

  test("read a body of just the ceiling, and nothing of one that says it is larger", async () => {
    const small = createToolHandler(client, { maxBodyBytes: 1000 });
    const call = JSON.stringify({ name: "list_dir", arguments: { dir_path: "/repo" } });
    assert.equal((await small(posted(call.padEnd(1000)))).status, 200);
    assert.deepEqual(await whole(await small(posted(call.padEnd(1001)))), TOO_LARGE);
    let pulled = false;
    const body = new ReadableStream(
      {
        pull() {
          pulled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const long = posted(body, { ...JSON_HEADERS, "content-length": "1001" });
    assert.deepEqual(await whole(await small(long)), TOO_LARGE);
    assert.equal(pulled, false);
  });

  test("tell a sender whose body broke off", async () => {
    const broken = new ReadableStream({
      pull() {
        throw new Error("connection reset");
      },
    });
    assert.deepEqual(
      await whole(await handle(posted(broken))),
      refused(400, "BadRequest", "The body ended before all of it was there; send it again."),
    );
  });

  test("are at the path that the server says", async () => {
    const deep = createToolHandler(client, { basePath: "/api/v1" });
    assert.equal((await deep(new Request(`${SERVER}/api/v1`))).status, 200);
    assert.equal((await deep(new Request(`${SERVER}/tools`))).status, 404);
    const top = createToolHandler(client, { basePath: "" });
    assert.equal((await top(new Request(SERVER))).status, 200);
    assert.equal((await top(new Request(`${SERVER}/call`))).status, 405);
  });

  test("run no tool that the caller does not get, by whichever name", async () => {
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

  test("say that a person said no", async () => {
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

  test("tell that they were closed, and that a call took too long", async () => {
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

  test("hide what fails inside, which the server hears of", async () => {
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

  test("say in the server's log which tool of its options is not offered", async () => {
    const reports = await withReports(async () => {
      const misnamed = createToolHandler(client, { allow: ["ls"] });
      assert.deepEqual(
        await whole(await misnamed(new Request(`${SERVER}/tools`))),
        refused(500, "BadRequest", "The server could not do what was asked; try it once more."),
      );
    });
    const message = 'No tool "ls" is offered; offered are LS, list_dir, list_directory, read_file.';
    assert.deepEqual(reports, [new TreeglassError("BadRequest", message)]);
  });
});

describe("a handler's gate", () => {
  let client: TreeglassClient;
  before(async () => {
    client = await startRealClient(ENTRIES);
  });
  after(() => client.close());

  const asked = (method: string, headers: Record<string, string>) =>
    new Request(`${SERVER}/tools`, { method, headers });
  const answer = async (options: ToolHandlerOptions, request: Request) => {
    const { status, headers, body } = await whole(
      await createToolHandler(client, options)(request),
    );
    return { status, headers, error: status === 200 ? null : body };
  };
  const APP = "https://app.example";
  const PREFLIGHT = {
    origin: APP,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  };

  test("opens to no page of another origin by default", async () => {
    const message =
      `Pages of "${APP}" are not answered here; the server has to name their origin in ` +
      "allowedOrigins.";
    const expected = { ...refused(403, "Forbidden", message), body: undefined };
    for (const request of [
      asked("GET", { origin: APP }),
      asked("OPTIONS", PREFLIGHT),
      asked("GET", { origin: `${APP}:8443` }),
      asked("GET", { origin: "null" }),
    ]) {
      const said = message.replace(APP, request.headers.get("origin") ?? "");
      assert.deepEqual(await answer({}, request), {
        status: 403,
        headers: expected.headers,
        error: { error: { kind: "Forbidden", message: said } },
      });
    }
  });

  test("opens to pages of the server's own, with no header for others", async () => {
    for (const origin of [SERVER, SERVER.replace("http:", "https:")]) {
      assert.deepEqual(await answer({}, asked("GET", { origin })), {
        status: 200,
        headers: REPLY_HEADERS,
        error: null,
      });
    }
  });

  test("lets pages of an allowed origin ask first, and read what is answered", async () => {
    const options = { allowedOrigins: [APP] };
    assert.deepEqual(await answer(options, asked("OPTIONS", PREFLIGHT)), {
      status: 204,
      headers: {
        "access-control-allow-headers": "authorization,content-type",
        "access-control-allow-methods": "GET, HEAD, OPTIONS",
        "access-control-allow-origin": APP,
        "access-control-max-age": "600",
        vary: "Access-Control-Request-Headers, Origin",
      },
      error: null,
    });
    assert.deepEqual(await answer(options, asked("GET", { origin: APP })), {
      status: 200,
      headers: { ...REPLY_HEADERS, "access-control-allow-origin": APP, vary: "Origin" },
      error: null,
    });
    assert.deepEqual(await answer(options, asked("GET", {})), {
      status: 200,
      headers: { ...REPLY_HEADERS, vary: "Origin" },
      error: null,
    });
    const wrong = await answer(options, asked("PUT", { origin: APP }));
    assert.deepEqual([wrong.status, wrong.headers["access-control-allow-origin"]], [405, APP]);
  });

  test("says what may be asked for where it is asked without an origin", async () => {
    assert.deepEqual(await answer({}, asked("OPTIONS", {})), {
      status: 204,
      headers: { allow: "GET, HEAD, OPTIONS" },
      error: null,
    });
  });

  test("opens to the hosts that it is for, at any port, and to no name of somebody else's", async () => {
    const options = { allowedHosts: ["localhost", "[::1]"] };
    for (const host of ["localhost", "localhost:9000", "LOCALHOST:1", "[::1]:8080"]) {
      assert.equal((await answer(options, asked("GET", { host }))).status, 200);
    }
    for (const [host, said] of [
      ["rebound.example", "rebound.example"],
      ["localhost.rebound.example:8080", "localhost.rebound.example"],
      ["127.0.0.1", "127.0.0.1"],
      ["a b", ""],
      ["", ""],
    ] as const) {
      const message =
        `Requests for the host "${said}" are not answered here; ` +
        "ask for a host that the server names in allowedHosts.";
      assert.deepEqual(await answer(options, asked("GET", { host })), {
        status: 403,
        headers: REPLY_HEADERS,
        error: { error: { kind: "Forbidden", message } },
      });
    }
    // A page whose own name was pointed at this address has both headers agree.
    const rebound = { host: "rebound.example", origin: "http://rebound.example" };
    assert.equal((await answer(options, asked("GET", rebound))).status, 403);
  });

  for (const [what, options, message] of [
    [
      "an option that there is not",
      JSON.parse('{"allowedOrigin":[]}'),
      "There is no option allowedOrigin; there are allow, answeredElsewhere, approve, deny, guide, " +
        "onCall, output, prefix, rename, timeoutMs, workingDir, basePath, allowedHosts, " +
        "allowedOrigins, maxBodyBytes.",
    ],
    [
      "every origin",
      { allowedOrigins: ["*"] },
      "allowedOrigins are whole origins and nothing more, such as https://app.example.",
    ],
    [
      "an origin with a path",
      { allowedOrigins: [`${APP}/`] },
      "allowedOrigins are whole origins and nothing more, such as https://app.example.",
    ],
    [
      "one host as a text",
      JSON.parse('{"allowedHosts":"localhost"}'),
      "allowedHosts are host names without a port, such as localhost, 127.0.0.1 or [::1].",
    ],
    [
      "a host with a port",
      { allowedHosts: ["localhost:8080"] },
      "allowedHosts are host names without a port, such as localhost, 127.0.0.1 or [::1].",
    ],
    ["no body at all", { maxBodyBytes: 0 }, "maxBodyBytes is a whole number of bytes above 0."],
    [
      "a path that ends in a slash",
      { basePath: "/tools/" },
      "basePath is a path without a slash at its end, such as /tools, or empty.",
    ],
  ] as const) {
    test(`${what} is refused when the handler is made`, () => {
      assert.throws(() => createToolHandler(client, options), {
        name: "TreeglassError",
        kind: "BadRequest",
        message,
      });
    });
  }
});
