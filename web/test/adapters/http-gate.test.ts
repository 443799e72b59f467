import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToolHandler, type ToolHandlerOptions } from "../../src/adapters/http.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { ENTRIES, REPLY_HEADERS, refused, SERVER, whole } from "../support/http-requests.ts";
import { startRealClient } from "../support/real-client.ts";

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

  test("refuses pages of other origins by default", async () => {
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

  test("admits pages of the server's own origin, without headers for others", async () => {
    for (const origin of [SERVER, SERVER.replace("http:", "https:")]) {
      assert.deepEqual(await answer({}, asked("GET", { origin })), {
        status: 200,
        headers: REPLY_HEADERS,
        error: null,
      });
    }
  });

  test("answers the preflight of an allowed origin, and lets its pages read the answer", async () => {
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

  test("lists the allowed methods for OPTIONS without an origin", async () => {
    assert.deepEqual(await answer({}, asked("OPTIONS", {})), {
      status: 204,
      headers: { allow: "GET, HEAD, OPTIONS" },
      error: null,
    });
  });

  test("admits its own hosts at any port, and no foreign name", async () => {
    const options = { allowedHosts: ["localhost", "[::1]"] };
    for (const host of ["localhost", "localhost:9000", "LOCALHOST:1", "[::1]:8080"]) {
      assert.equal((await answer(options, asked("GET", { host }))).status, 200);
    }
    for (const [host, said] of [
      ["rebound.example", "rebound.example"],
      ["localhost.rebound.example:8080", "localhost.rebound.example"],
      ["127.0.0.1", "127.0.0.1"],
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
    // If a page points its own name at this address, both headers agree.
    const rebound = { host: "rebound.example", origin: "http://rebound.example" };
    assert.equal((await answer(options, asked("GET", rebound))).status, 403);
  });

  test("refuses an invalid host, also with an opaque origin", async () => {
    for (const options of [{}, { allowedHosts: ["localhost"] }, { allowedOrigins: [APP] }]) {
      for (const host of ["a b", ""]) {
        for (const headers of [{ host }, { host, origin: "null" }, { host, origin: APP }]) {
          const { status, error } = await answer(options, asked("GET", headers));
          const message = `${JSON.stringify(host)} is not a host; send the server's own, such as Host: localhost:8080.`;
          assert.deepEqual([status, error], [403, { error: { kind: "Forbidden", message } }]);
        }
      }
    }
  });

  for (const [what, options, message] of [
    [
      "an unknown option",
      JSON.parse('{"allowedOrigin":[]}'),
      "This adapter has no option allowedOrigin; the known ones are allow, allowedHosts, " +
        "allowedOrigins, answeredElsewhere, approve, basePath, deny, guide, maxBodyBytes, " +
        "nullsAreAbsent, onCall, output, prefix, rename, timeoutMs, workingDir.",
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
