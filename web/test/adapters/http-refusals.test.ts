import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToolHandler } from "../../src/adapters/http.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import {
  calling,
  ENTRIES,
  JSON_HEADERS,
  posted,
  refused,
  SERVER,
  whole,
} from "../support/http-requests.ts";
import { startRealClient } from "../support/real-client.ts";

describe("a request that is not a tool call", () => {
  let client: TreeglassClient;
  let handle: (request: Request) => Promise<Response>;
  before(async () => {
    client = await startRealClient(ENTRIES);
    handle = createToolHandler(client);
  });
  after(() => client.close());

  const SHAPE = '{ "name": "list_dir", "arguments": { "dir_path": "/repo" } }';
  const UNREADABLE = "The body is not valid JSON; send one JSON object.";
  const NO_JSON_TYPE =
    "The body has to be JSON in UTF-8; send it with Content-Type: application/json.";
  const DEEP = `${"[".repeat(1000)}${"]".repeat(1000)}`;
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
    ["text that is not JSON", () => posted("{name:1}"), refused(400, "BadRequest", UNREADABLE)],
    [
      "bytes that are not UTF-8",
      () => posted(new Uint8Array([0x22, 0xff, 0x22])),
      refused(400, "BadRequest", "The body is not valid UTF-8; encode the JSON as UTF-8."),
    ],
    [
      "nesting that would overflow a small stack",
      () => posted(`{"name":"LS","arguments":${DEEP}}`),
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
      "a name that is not a text",
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
      "a negative budget",
      () => calling({ name: "LS", maxOutputBytes: -1 }),
      refused(400, "BadRequest", "maxOutputBytes is a whole number of bytes from 0 on."),
    ],
    [
      "a budget that is not a number",
      () => calling({ name: "LS", availableCapacityBytes: null }),
      refused(400, "BadRequest", "availableCapacityBytes is a whole number of bytes from 0 on."),
    ],
    [
      "a relative working directory",
      () => calling({ name: "LS", workingDir: "src" }),
      refused(
        400,
        "BadRequest",
        "The workingDir \"src\" is not absolute; use a path such as '/repo'.",
      ),
    ],
    [
      "a working directory that leads up",
      () => calling({ name: "LS", workingDir: "/repo/../etc" }),
      refused(
        400,
        "BadRequest",
        "The workingDir \"/repo/../etc\" holds '..'; use a path such as '/repo'.",
      ),
    ],
    [
      "a working directory with a dot",
      () => calling({ name: "LS", workingDir: "/repo/." }),
      refused(
        400,
        "BadRequest",
        "The workingDir \"/repo/.\" holds '.'; use a path such as '/repo'.",
      ),
    ],
    [
      "a working directory with a NUL",
      () => calling({ name: "LS", workingDir: "/repo\0" }),
      refused(
        400,
        "BadRequest",
        "The workingDir \"/repo\\u0000\" holds a NUL; use a path such as '/repo'.",
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

  test("an endless body is read no further than the limit", async () => {
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

  test("a body of exactly the limit is read, and one with a larger Content-Length is not", async () => {
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

  test("a sender learns that its body broke off", async () => {
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
});
