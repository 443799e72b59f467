import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { createMcpFetchHandler, type McpHandlerOptions } from "../../src/adapters/mcp-http.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

const SERVER = "http://127.0.0.1:8080";
const APP = "https://app.example";
const JSON_TYPE = { "content-type": "application/json" };
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

type Asked = RequestInit & { readonly duplex?: "half" };

function posted(body: BodyInit, headers: HeadersInit = JSON_TYPE): Request {
  const asked: Asked = { method: "POST", headers, body, duplex: "half" };
  return new Request(`${SERVER}/mcp`, asked);
}

const listing = (headers: Record<string, string>) =>
  posted(LIST, { ...JSON_TYPE, accept: "application/json, text/event-stream", ...headers });

const options = (headers: Record<string, string>) =>
  new Request(`${SERVER}/mcp`, { method: "OPTIONS", headers });

/** Returns all of a response that its receiver can tell from another one. */
async function whole(response: Response) {
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

const refused = (status: number, message: string, headers = {}) => ({
  status,
  headers: {
    ...JSON_TYPE,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  },
  body: {
    jsonrpc: "2.0",
    error: { code: status === 400 ? -32_700 : -32_000, message },
    id: null,
  },
});

const client = await startRealClient({ "README.md": "# Sample\n" });
after(() => client.close());

describe("an MCP handler over HTTP", () => {
  const answer = (given: McpHandlerOptions, request: Request) =>
    createMcpFetchHandler(client, given)(request);
  const statusOf = async (given: McpHandlerOptions, request: Request) =>
    (await answer(given, request)).status;

  const PREFLIGHT = {
    origin: APP,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  };

  test("refuses pages of other origins by default, and their preflights", async () => {
    for (const [origin, request] of [
      [APP, listing({ origin: APP })],
      [APP, options(PREFLIGHT)],
      [`${APP}:8443`, listing({ origin: `${APP}:8443` })],
      ["null", listing({ origin: "null" })],
      // The port is a part of an origin.
      ["http://127.0.0.1:8081", listing({ origin: "http://127.0.0.1:8081" })],
    ] as const) {
      const message =
        `Pages of "${origin}" are not answered here; the server has to name their origin in ` +
        "allowedOrigins.";
      assert.deepEqual(await whole(await answer({}, request)), refused(403, message));
    }
  });

  test("refuses other ports and schemes of an allowed origin", async () => {
    for (const origin of [`${APP}:8443`, "http://app.example", "https://a.app.example"]) {
      assert.equal(await statusOf({ allowedOrigins: [APP] }, listing({ origin })), 403);
    }
  });

  test("admits pages of the server's own origin, without headers for others", async () => {
    for (const origin of [SERVER, SERVER.replace("http:", "https:")]) {
      const { status, headers } = await answer({}, listing({ origin }));
      assert.deepEqual(
        [status, headers.get("access-control-allow-origin"), headers.get("vary")],
        [200, null, null],
      );
    }
  });

  test("lets pages of an allowed origin read the answer, and its refusals", async () => {
    const given = { allowedOrigins: [APP] };
    const readers = async (request: Request) => {
      const { status, headers } = await answer(given, request);
      return [status, headers.get("access-control-allow-origin"), headers.get("vary")];
    };
    assert.deepEqual(await readers(listing({ origin: APP })), [200, APP, "Origin"]);
    assert.deepEqual(await readers(listing({})), [200, null, "Origin"]);
    const unread = posted("{", { ...JSON_TYPE, origin: APP });
    assert.deepEqual(await readers(unread), [400, APP, "Origin"]);
  });

  test("admits its own hosts at any port, and no foreign name", async () => {
    const given = { allowedHosts: ["localhost", "[::1]"] };
    for (const host of ["localhost", "localhost:9000", "LOCALHOST:1", "[::1]:8080"]) {
      assert.equal(await statusOf(given, listing({ host })), 200);
    }
    for (const [host, said] of [
      ["rebound.example", "rebound.example"],
      ["localhost.rebound.example:8080", "localhost.rebound.example"],
      ["127.0.0.1", "127.0.0.1"],
    ] as const) {
      const message =
        `Requests for the host "${said}" are not answered here; ` +
        "ask for a host that the server names in allowedHosts.";
      assert.deepEqual(await whole(await answer(given, listing({ host }))), refused(403, message));
    }
    // If a page points its own name at this address, both headers agree.
    const rebound = { host: "rebound.example", origin: "http://rebound.example" };
    assert.equal(await statusOf(given, listing(rebound)), 403);
  });

  test("refuses an invalid host, also with an opaque origin", async () => {
    for (const given of [{}, { allowedHosts: ["localhost"] }, { allowedOrigins: [APP] }]) {
      for (const host of ["a b", ""]) {
        for (const headers of [{ host }, { host, origin: "null" }, { host, origin: APP }]) {
          const { status, body } = await whole(await answer(given, listing(headers)));
          const message = `${JSON.stringify(host)} is not a host; send the server's own, such as Host: localhost:8080.`;
          assert.deepEqual([status, body], [403, refused(403, message).body]);
        }
      }
    }
  });

  const UNREADABLE = "The body is not valid JSON; send one JSON object.";
  const NO_JSON_TYPE = refused(
    415,
    "The body has to be JSON in UTF-8; send it with Content-Type: application/json.",
    { "accept-post": "application/json" },
  );
  for (const [what, request, expected] of [
    [
      "a form",
      () => posted("name=LS", { "content-type": "application/x-www-form-urlencoded" }),
      NO_JSON_TYPE,
    ],
    [
      "another charset",
      () => posted("{}", { "content-type": "application/json; charset=latin1" }),
      NO_JSON_TYPE,
    ],
    [
      "a compressed body",
      () => posted("{}", { ...JSON_TYPE, "content-encoding": "gzip" }),
      refused(415, "Compressed bodies are not read; send the body without Content-Encoding.", {
        "accept-encoding": "identity",
      }),
    ],
    ["an empty body", () => posted(""), refused(400, UNREADABLE)],
    ["text that is not JSON", () => posted("{name:1}"), refused(400, UNREADABLE)],
    [
      "bytes that are not UTF-8",
      () => posted(new Uint8Array([0x22, 0xff, 0x22])),
      refused(400, "The body is not valid UTF-8; encode the JSON as UTF-8."),
    ],
    [
      "nesting that would overflow a small stack",
      () => posted(`{"params":${"[".repeat(1000)}${"]".repeat(1000)}}`),
      refused(400, "The body is nested more than 1,000 levels deep."),
    ],
    [
      "a body that broke off",
      () =>
        posted(
          new ReadableStream({
            pull() {
              throw new Error("connection reset");
            },
          }),
        ),
      refused(400, "The body ended before all of it was there; send it again."),
    ],
  ] as const) {
    test(`refuses ${what}`, async () => {
      assert.deepEqual(await whole(await answer({}, request())), expected);
    });
  }

  const SMALL = { maxBodyBytes: 1000 };
  const TOO_LARGE = refused(
    413,
    "The body is larger than the 1,000 bytes that are read; send less at once.",
  );

  test("reads an endless body no further than the limit", async () => {
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
    assert.deepEqual(await whole(await answer(SMALL, posted(body))), TOO_LARGE);
    assert.ok(pulled <= 5);
    assert.equal(cancelled, true);
  });

  test("reads a body of exactly the limit, and none with a larger Content-Length", async () => {
    const padded = (size: number) => {
      const headers = { ...JSON_TYPE, accept: "application/json, text/event-stream" };
      return posted(LIST.padEnd(size), headers);
    };
    assert.equal(await statusOf(SMALL, padded(1000)), 200);
    assert.deepEqual(await whole(await answer(SMALL, padded(1001))), TOO_LARGE);
    let pulled = false;
    const body = new ReadableStream(
      {
        pull() {
          pulled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const long = posted(body, { ...JSON_TYPE, "content-length": "1001" });
    assert.deepEqual(await whole(await answer(SMALL, long)), TOO_LARGE);
    assert.equal(pulled, false);
  });

  test("answers nothing to a sender that left before its body was read", async () => {
    const leaving = new AbortController();
    const body = new ReadableStream({
      pull(controller) {
        leaving.abort();
        controller.error(leaving.signal.reason);
      },
    });
    const asked: Asked = { method: "POST", headers: JSON_TYPE, body, duplex: "half" };
    const request = new Request(`${SERVER}/mcp`, { ...asked, signal: leaving.signal });
    assert.deepEqual(await whole(await answer({}, request)), {
      status: 499,
      headers: {},
      body: null,
    });
  });

  test("reports an option that names a tool that is not offered", async () => {
    const reports = await withReports(async () => {
      assert.equal(await statusOf({ allow: ["ls"] }, listing({})), 500);
    });
    const message =
      'No tool "ls" is offered; offered are Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file. The option family of connect chooses which are offered.';
    assert.deepEqual(reports, [new TreeglassError("BadRequest", message)]);
  });

  const ORIGINS = "allowedOrigins are whole origins and nothing more, such as https://app.example.";
  const HOSTS =
    "allowedHosts are host names without a port, such as localhost, 127.0.0.1 or [::1].";
  for (const [what, given, message] of [
    ["every origin", { allowedOrigins: ["*"] }, ORIGINS],
    ["an origin with a path", { allowedOrigins: [`${APP}/`] }, ORIGINS],
    ["one host as a text", JSON.parse('{"allowedHosts":"localhost"}'), HOSTS],
    ["a host with a port", { allowedHosts: ["localhost:8080"] }, HOSTS],
    ["no body at all", { maxBodyBytes: 0 }, "maxBodyBytes is a whole number of bytes above 0."],
  ] as const) {
    test(`refuses ${what} when it is made`, () => {
      assert.throws(() => createMcpFetchHandler(client, given), {
        name: "BadRequest",
        message,
      });
    });
  }
});
