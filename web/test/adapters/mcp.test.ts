import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { createMcpServer, type McpServerOptions } from "../../src/adapters/mcp.ts";
import type { CallEvent } from "../../src/adapters/toolset.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { type Answers, connected, RESULT } from "../support/connected.ts";

const LS = {
  name: "LS",
  title: "List files",
  description: "Lists files.",
  inputSchema: {
    // The library itself writes them in another order.
    additionalProperties: false,
    required: [],
    type: "object",
    properties: { ignore: { default: null, items: { type: "string" }, type: "array" } },
  },
  outputSchema: {
    type: "object",
    required: ["status"],
    properties: { status: { type: "string" } },
  },
  annotations: { title: "List files", readOnlyHint: true, openWorldHint: false },
  _meta: { "treeglass/family": "envelope" },
};
const { outputSchema: _, ...LS_WITHOUT_SCHEMA } = LS;

const PARTIAL = {
  ...RESULT,
  content: '{"status":"partial"}',
  structuredContent: { status: "partial" },
};
const FAILED = {
  ...RESULT,
  content: '{"status":"error"}',
  structuredContent: { status: "error" },
  isError: true,
  error: { kind: "NOT_FOUND", message: "No such path." },
};

const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of [...closing].reverse()) {
    await close();
  }
});

/** Returns an official client that is connected to the tools, in one thread. */
async function connectMcp(options: McpServerOptions = {}, answers: Answers = {}) {
  const listed = { result: { tools: [LS] } };
  const given = { listTools: listed, describeTools: listed, callTool: { result: PARTIAL } };
  const { client, asked } = await connected({ ...given, ...answers });
  closing.push(() => client.close());
  return { ...(await connectTo(client, options)), client, asked };
}

async function connectTo(client: TreeglassClient, options: McpServerOptions = {}) {
  const server = await createMcpServer(client, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const mcp = new Client({ name: "test", version: "1.0.0" });
  closing.push(() => mcp.close());
  await server.connect(far);
  await mcp.connect(near);
  return { mcp, server };
}

/** Returns a server's answers as they are sent. */
async function answerTo(request: JSONRPCMessage, options: McpServerOptions): Promise<string> {
  const listed = { result: { tools: [LS] } };
  const { client } = await connected({ listTools: listed, describeTools: listed });
  const server = await createMcpServer(client, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  closing.push(
    () => client.close(),
    () => near.close(),
  );
  await server.connect(far);
  const answered = new Promise<JSONRPCMessage>((resolve) => {
    near.onmessage = resolve;
  });
  await near.start();
  await near.send(request);
  return JSON.stringify(await answered);
}

describe("an MCP server", () => {
  test("says who it is, with the version of the package", async () => {
    const { mcp } = await connectMcp();
    const manifest = new URL("../../package.json", import.meta.url);
    const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf-8"));
    assert.deepEqual(mcp.getServerVersion(), { name: "treeglass", title: "treeglass", version });
    assert.deepEqual(mcp.getServerCapabilities(), { tools: {} });
  });

  test("says where the files are, once some are mounted", async () => {
    const { mcp: before, client } = await connectMcp();
    await client.mount("/repo", { entries: {} });
    await client.mount("/docs", { entries: {} });
    const { mcp: after } = await connectTo(client);
    assert.deepEqual(
      [before.getInstructions(), after.getInstructions()],
      [
        undefined,
        "The files are mounted at /docs and /repo. The paths that the tools take begin there.",
      ],
    );
  });

  test("sends the published definitions byte for byte", async () => {
    assert.equal(
      await answerTo({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { results: "both" }),
      JSON.stringify({ result: { tools: [LS] }, jsonrpc: "2.0", id: 1 }),
    );
  });

  test("has no output schema if answers are text", async () => {
    assert.equal(
      await answerTo({ jsonrpc: "2.0", id: 1, method: "tools/list" }, {}),
      JSON.stringify({ result: { tools: [LS_WITHOUT_SCHEMA] }, jsonrpc: "2.0", id: 1 }),
    );
  });

  test("answers as text, as structured content, or as both", async () => {
    const answers = [];
    for (const results of ["text", "structured", "both"] as const) {
      const { mcp } = await connectMcp({ results });
      await mcp.listTools();
      answers.push(await mcp.callTool({ name: "LS", arguments: {} }));
    }
    const content = [{ type: "text", text: '{"status":"partial"}' }];
    const structuredContent = { status: "partial" };
    assert.deepEqual(answers, [
      { content },
      { content: [], structuredContent },
      { content, structuredContent },
    ]);
  });

  test("answers as text if the tool has no structured content", async () => {
    const { mcp } = await connectMcp({ results: "structured" }, { callTool: { result: RESULT } });
    assert.deepEqual(await mcp.callTool({ name: "LS" }), {
      content: [{ type: "text", text: "Absolute path: /repo" }],
    });
  });

  test("sends the guide as text after structured content", async () => {
    const more = { ...PARTIAL, truncated: true, nextArguments: { offset: 100 } };
    const { mcp } = await connectMcp(
      { results: "structured", guide: true, prefix: "repo_" },
      { callTool: { result: more } },
    );
    assert.deepEqual(await mcp.callTool({ name: "repo_LS" }), {
      content: [{ type: "text", text: '[More: call repo_LS with {"offset":100}]' }],
      structuredContent: { status: "partial" },
    });
  });

  test("marks a tool's error, and sends its structured content too", async () => {
    const { mcp } = await connectMcp({ results: "both" }, { callTool: { result: FAILED } });
    await mcp.listTools();
    assert.deepEqual(await mcp.callTool({ name: "LS" }), {
      content: [{ type: "text", text: '{"status":"error"}' }],
      structuredContent: { status: "error" },
      isError: true,
    });
  });

  test("says why a call was not made, also with an output schema", async () => {
    const { mcp } = await connectMcp(
      { results: "structured", approve: () => false },
      { summarizeCall: { result: { summary: "List /repo", settings: "" } } },
    );
    await mcp.listTools();
    assert.deepEqual(await mcp.callTool({ name: "LS" }), {
      content: [
        {
          type: "text",
          text: "The call was not approved: List /repo. Go on without it, or ask for something else.",
        },
      ],
      isError: true,
    });
  });

  test("counts both text and structured content if it sends both", async () => {
    const output = { unit: "characters", max: 41 } as const;
    const asked = [];
    for (const results of ["text", "structured", "both"] as const) {
      const connection = await connectMcp({ results, output: { ...output, max: 40 } });
      asked.push(await connection.mcp.callTool({ name: "LS" }));
    }
    const both = await connectMcp({ results: "both", output });
    assert.deepEqual(
      [...asked, await both.mcp.callTool({ name: "LS" })].map(({ isError }) => isError ?? false),
      [false, false, true, false],
    );
  });

  test("answers an unknown tool with a protocol error, and tells the page", async () => {
    const events: CallEvent[] = [];
    const { mcp } = await connectMcp({ onCall: (event) => events.push(event) });
    await assert.rejects(mcp.callTool({ name: "rm" }), {
      name: "ProtocolError",
      code: -32602,
      message: 'There is no tool "rm"; the tools are: LS.',
    });
    assert.deepEqual(
      events.map(({ name, tool, outcome }) => ({ name, tool, outcome })),
      [{ name: "rm", tool: null, outcome: "unknown" }],
    );
  });

  test("stops a call that its client cancels", async () => {
    const asking = new EventTarget();
    const isAsking = once(asking, "asking");
    const isTold = once(asking, "told");
    const events: CallEvent[] = [];
    const { mcp, asked } = await connectMcp(
      {
        approve: () => {
          asking.dispatchEvent(new Event("asking"));
          return new Promise(() => undefined);
        },
        onCall: (event) => {
          events.push(event);
          asking.dispatchEvent(new Event("told"));
        },
      },
      { summarizeCall: { result: { summary: "List /repo", settings: "" } } },
    );
    const cancel = new AbortController();
    const call = mcp.callTool({ name: "LS" }, { signal: cancel.signal });
    await isAsking;
    cancel.abort(new Error("stopped"));
    await assert.rejects(call, { message: "Error: stopped" });
    await isTold;
    assert.deepEqual(
      events.map(({ outcome, isError, text }) => ({ outcome, isError, text })),
      [{ outcome: "aborted", isError: true, text: "" }],
    );
    assert.deepEqual(
      asked.filter((request) => JSON.stringify(request).includes('"callTool"')),
      [],
    );
  });

  test("refuses an unknown value of results", async () => {
    const { client } = await connected();
    closing.push(() => client.close());
    // A page without types can pass this.
    const results: McpServerOptions["results"] = JSON.parse('"json"');
    await assert.rejects(createMcpServer(client, { ...(results && { results }) }), {
      name: "BadRequest",
      message: 'results is "json"; it has to be "text", "structured" or "both".',
    });
  });
});
