import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createMcpFetchHandler,
  type McpHandlerOptions,
  type SharedClient,
} from "../../src/adapters/mcp-http.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { connected, DEFINITION } from "../support/connected.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

const SERVER = "http://127.0.0.1:8080/mcp";

type Handle = (request: Request) => Promise<Response>;

const ERAS = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const;

/** Returns an official client that is connected to a handler over its own HTTP. */
async function connectTo(
  handle: Handle,
  mode: (typeof ERAS)[number][1],
  headers: Record<string, string> = {},
): Promise<Client> {
  const mcp = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const fetch = (url: string | URL, init?: RequestInit) => handle(new Request(url, init));
  const transport = new StreamableHTTPClientTransport(new URL(SERVER), {
    fetch,
    requestInit: { headers },
  });
  await mcp.connect(transport);
  return mcp;
}

const JSON_RPC_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

function posted(body: BodyInit, headers: Record<string, string> = JSON_RPC_HEADERS): Request {
  return new Request(SERVER, { method: "POST", headers, body });
}

async function whole(response: Response) {
  const text = await response.text();
  const allow = response.headers.get("allow");
  return { status: response.status, allow, body: text === "" ? null : JSON.parse(text) };
}

const CALL = { name: "list_dir", arguments: { dir_path: "/repo" } };

describe("the tools over MCP's streamable HTTP", () => {
  let client: TreeglassClient;
  let handle: Handle;
  before(async () => {
    client = await startRealClient({ "README.md": "# Sample\n" });
    handle = createMcpFetchHandler(client);
  });
  after(() => client.close());

  for (const [revision, mode] of ERAS) {
    test(`answer a client of the revision ${revision} as the treeglass client does`, async () => {
      const mcp = await connectTo(handle, mode);
      assert.equal(mcp.getNegotiatedProtocolVersion(), revision);
      const offered = await client.listTools();
      const { tools } = await mcp.listTools();
      assert.deepEqual(
        tools,
        offered.map(({ outputSchema: _, ...tool }) => tool),
      );
      const missing = { name: "read_file", arguments: { file_path: "/repo/nothing" } };
      const replies = [];
      for (const call of [CALL, missing]) {
        const { content, isError = false } = await mcp.callTool(call);
        replies.push({ content, isError });
      }
      const expected = [];
      for (const call of [CALL, missing]) {
        const { content, isError } = await client.callTool(call.name, call.arguments);
        expected.push({ content: [{ type: "text", text: content }], isError });
      }
      assert.deepEqual(replies, expected);
      await assert.rejects(mcp.callTool({ name: "rm" }), {
        code: -32602,
        message:
          'There is no tool "rm"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.',
      });
      await mcp.close();
    });

    test(`stop a call that a client of the revision ${revision} abandons`, async () => {
      const outcomes: string[] = [];
      const page = new EventTarget();
      const isAsked = once(page, "asked");
      const isTold = once(page, "told");
      const watched = createMcpFetchHandler(client, {
        approve: () => {
          page.dispatchEvent(new Event("asked"));
          return new Promise(() => undefined);
        },
        onCall: ({ outcome }) => {
          outcomes.push(outcome);
          page.dispatchEvent(new Event("told"));
        },
      });
      const mcp = await connectTo(watched, mode);
      const leaving = new AbortController();
      const call = mcp.callTool(CALL, { signal: leaving.signal });
      await isAsked;
      leaving.abort(new Error("stopped"));
      await assert.rejects(call);
      // A client of the older revision cancels by a message, which a server without sessions
      // cannot match to the call: closing the connection is what stops it.
      await mcp.close();
      await isTold;
      assert.deepEqual(outcomes, ["aborted"]);
    });
  }

  test("keep callers with a client each apart", async () => {
    const other = await startRealClient({ "other.txt": "" });
    const ofCaller: SharedClient = async (request) =>
      request.headers.get("authorization") === "Bearer other" ? other : client;
    const shared = createMcpFetchHandler(ofCaller);
    const [, modern] = ERAS[1];
    const callers = await Promise.all([
      connectTo(shared, modern, { authorization: "Bearer other" }),
      connectTo(shared, modern),
    ]);
    const answers = await Promise.all(
      callers.map(async (mcp) => (await mcp.callTool(CALL)).content),
    );
    assert.deepEqual(answers, [
      [{ type: "text", text: "Absolute path: /repo\nother.txt" }],
      [{ type: "text", text: "Absolute path: /repo\nREADME.md" }],
    ]);
    await other.close();
  });

  test("are described once, and not for each request", async () => {
    const listed = { result: { tools: [DEFINITION] } };
    const { client: counted, asked } = await connected({
      listTools: listed,
      describeTools: listed,
    });
    const answer = createMcpFetchHandler(counted);
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await answer(posted(list))).status, 200);
    }
    assert.deepEqual(
      asked.map((request) => JSON.parse(JSON.stringify(request)).method),
      ["configure", "listTools", "describeTools"],
    );
    await counted.close();
  });

  test("refuse a stream of a session", async () => {
    assert.deepEqual(await whole(await handle(new Request(SERVER))), {
      status: 405,
      allow: "POST",
      body: { jsonrpc: "2.0", error: { code: -32000, message: "Method not allowed." }, id: null },
    });
  });

  test("refuse arguments of the greatest allowed depth in the tools' own words", async () => {
    const [, modern] = ERAS[1];
    const mcp = await connectTo(handle, modern);
    const deep: unknown = JSON.parse(`${"[".repeat(980)}${"]".repeat(980)}`);
    const { content } = await mcp.callTool({ name: "list_dir", arguments: { deep } });
    const expected = await client.callTool("list_dir", JSON.stringify({ deep }));
    assert.deepEqual(content, [{ type: "text", text: expected.content }]);
    await mcp.close();
  });

  test("answer the preflight of an allowed origin, and let its pages read the answer", async () => {
    const origin = "https://app.example";
    const open = createMcpFetchHandler(client, { allowedOrigins: [origin] });
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,mcp-method,mcp-protocol-version",
    };
    const preflight = await open(new Request(SERVER, { method: "OPTIONS", headers }));
    assert.deepEqual(
      [preflight.status, Object.fromEntries(preflight.headers)],
      [
        204,
        {
          "access-control-allow-headers": "content-type,mcp-method,mcp-protocol-version",
          "access-control-allow-methods": "POST, OPTIONS",
          "access-control-allow-origin": origin,
          "access-control-max-age": "600",
          vary: "Access-Control-Request-Headers, Origin",
        },
      ],
    );
    const [, modern] = ERAS[1];
    const mcp = await connectTo(
      async (request) => {
        const response = await open(request);
        assert.equal(response.headers.get("access-control-allow-origin"), origin);
        return response;
      },
      modern,
      { origin },
    );
    assert.deepEqual((await mcp.callTool(CALL)).content, [
      { type: "text", text: "Absolute path: /repo\nREADME.md" },
    ]);
  });

  test("list the allowed methods, and hide internal failures", async () => {
    const options = await whole(await handle(new Request(SERVER, { method: "OPTIONS" })));
    assert.deepEqual(options, { status: 204, allow: "POST, OPTIONS", body: null });
    const fault = new Error("ENOENT /srv/secrets");
    const reports = await withReports(async () => {
      const failing = createMcpFetchHandler(() => Promise.reject(fault));
      const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      assert.equal((await failing(posted(list))).status, 500);
    });
    assert.deepEqual(reports, [fault]);
  });

  test("refuse invalid options when the handler is made", () => {
    // A program without types can pass this.
    const results: McpHandlerOptions = JSON.parse('{"results":"json"}');
    assert.throws(() => createMcpFetchHandler(client, results), {
      name: "BadRequest",
      message: 'results is "json"; it has to be "text", "structured" or "both".',
    });
    const basePath: McpHandlerOptions = JSON.parse('{"basePath":"/mcp"}');
    assert.throws(() => createMcpFetchHandler(client, basePath), {
      name: "BadRequest",
      message:
        "This adapter has no option basePath; the known ones are allow, allowedHosts, " +
        "allowedOrigins, answeredElsewhere, approve, deny, group, guide, maxBodyBytes, " +
        "nullsAreAbsent, onCall, output, prefix, rename, results, timeoutMs, workingDir.",
    });
  });
});
