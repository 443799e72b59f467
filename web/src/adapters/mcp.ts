/** The tools as an MCP server, by the official library: for one client, or for all who ask by HTTP. */
import {
  type CallToolResult,
  createMcpHandler,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { isRecord } from "../protocol/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { ClientDesk, type SharedClient } from "./client-desk.ts";
import { readJson } from "./http-body.ts";
import { HTTP_OPTION_NAMES, HttpGate, type HttpOptions } from "./http-gate.ts";
import { HttpRefusal, jsonResponse, SENDER_LEFT_STATUS } from "./http-refusal.ts";
import { reportFault } from "./report-fault.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { createToolset, type Toolset, type ToolsetOptions } from "./toolset.ts";
import { requireOptions } from "./toolset-options.ts";

export type { SharedClient } from "./client-desk.ts";
export type { HttpOptions } from "./http-gate.ts";

/** As which an answer is sent that is both text and data. */
export type McpResults = "text" | "structured" | "both";

export interface McpServerOptions extends ToolsetOptions {
  /**
   * `text` sends what the tool's specification has the model read; `structured` sends the same as
   * data where the tool defines it; `both` sends both, which costs the model's context twice.
   *
   * A tool has an output schema where its answers are sent as data.
   * @default "text"
   */
  readonly results?: McpResults;
}

/** What the server says that it is. */
const IMPLEMENTATION = { name: "treeglass", title: "treeglass", version: "0.1.0" } as const;

const RESULTS: readonly unknown[] = ["text", "structured", "both"] satisfies McpResults[];

/**
 * Returns an MCP server that offers the tools; `server.connect(transport)` serves one client.
 *
 * The budget of `output` counts all of an answer that can reach a model, text and data.
 * A tool that is not there is an error of the protocol; whatever else goes wrong with a call is a
 * result with `isError`. Rejects with `BadRequest` where the options make no sense.
 */
export async function createMcpServer(
  client: ToolClient,
  options: McpServerOptions = {},
): Promise<Server> {
  return makeServer(await offer(client, options, ["results"]));
}

export interface McpHandlerOptions extends McpServerOptions, HttpOptions {}

const HANDLER_OPTIONS = ["results", ...HTTP_OPTION_NAMES];

const METHODS = "POST, OPTIONS";

/**
 * Returns what answers the HTTP requests of MCP clients, at whichever path the server chooses:
 * streamable HTTP without sessions, for clients of the revision 2026-07-28 and of those before.
 *
 * The definitions are asked for at a client's first request; after `configure`, make another
 * handler. A call whose sender leaves is stopped. A request that is none of the protocol's is
 * answered with an error of JSON-RPC and a status of 400 to 415.
 *
 * Everybody who can send a request is answered: who that may be is for the server to decide, before
 * it hands a request on. On a loopback address, `allowedHosts` keeps other people's pages out.
 *
 * @param client the tools, or what returns those of whoever sent a request; callers that must not
 *   see each other's mounts need a client each.
 * @throws TreeglassError `BadRequest`, for options that make no sense.
 */
export function createMcpFetchHandler(
  client: SharedClient,
  options: McpHandlerOptions = {},
): (request: Request) => Promise<Response> {
  requireOptions(options, HANDLER_OPTIONS);
  requireResults(options.results);
  const gate = new HttpGate(options);
  const desk = new ClientDesk(client, (ofCaller) => offer(ofCaller, options, HANDLER_OPTIONS));
  const { fetch } = createMcpHandler(async ({ requestInfo }) => {
    try {
      if (requestInfo === undefined) {
        throw new TreeglassError("BadRequest", "There is no request to tell the caller by.");
      }
      return makeServer(await desk.of(requestInfo));
    } catch (error) {
      reportFault(error);
      throw error;
    }
  });
  const follow = async (request: Request) => {
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { Allow: METHODS } });
    }
    // The library would take bytes that are no UTF-8 for others, and nest as deep as its stack.
    const { maxBodyBytes } = gate;
    const isPost = request.method === "POST";
    return fetch(
      request,
      isPost ? { parsedBody: (await readJson(request, maxBodyBytes)).value } : {},
    );
  };
  return async (request) => {
    try {
      return gate.open(request, gate.admit(request, METHODS) ?? (await follow(request)));
    } catch (error) {
      return gate.open(request, toRpcError(request, error));
    }
  };
}

function toRpcError(request: Request, error: unknown): Response {
  if (error instanceof HttpRefusal) {
    const { kind, message, status, headers } = error;
    const code = kind === "BadRequest" ? ProtocolErrorCode.ParseError : SERVER_ERROR;
    return jsonResponse(status, { jsonrpc: "2.0", error: { code, message }, id: null }, headers);
  }
  if (request.signal.aborted) {
    return new Response(null, { status: SENDER_LEFT_STATUS });
  }
  reportFault(error);
  const failed = { code: ProtocolErrorCode.InternalError, message: "Internal server error" };
  return jsonResponse(500, { jsonrpc: "2.0", error: failed, id: null });
}

/** JSON-RPC's code for what a server defines itself. */
const SERVER_ERROR = -32_000;

/** What is offered to every client alike. */
interface Offer {
  readonly toolset: Toolset;
  readonly tools: Tool[];
  readonly results: McpResults;
}

async function offer(
  client: ToolClient,
  options: McpServerOptions,
  ownOptions: readonly string[],
): Promise<Offer> {
  const { results = "text" } = options;
  requireResults(results);
  const render = (outcome: ToolOutcome) => readByModel(toCallToolResult(outcome, results));
  const toolset = await createToolset(client, options, { render, ownOptions });
  return { toolset, tools: await describe(toolset, results), results };
}

function requireResults(results: McpResults = "text"): void {
  if (!RESULTS.includes(results)) {
    throw new TreeglassError(
      "BadRequest",
      `results is ${JSON.stringify(results)}; it has to be "text", "structured" or "both".`,
    );
  }
}

function makeServer({ toolset, tools, results }: Offer): Server {
  // The library's McpServer would word the refusal of arguments itself, where each tool has words of
  // its own, and would write the schemas anew.
  const server = new Server(IMPLEMENTATION, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { id, signal } }) => {
    const { name } = params;
    const outcome = await toolset.call(name, params.arguments, { signal, callId: String(id) });
    if (!toolset.tools.some((tool) => tool.name === name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.text);
    }
    return toCallToolResult(outcome, results);
  });
  return server;
}

/** Returns the definitions; only with data may there be a schema that it has to keep to. */
async function describe(toolset: Toolset, results: McpResults): Promise<Tool[]> {
  const described = await toolset.describe("mcp");
  return described.map((tool) => {
    const { outputSchema: _, ...withoutSchema } = tool;
    const offered: unknown = results === "text" ? withoutSchema : tool;
    if (!isSpecType.Tool(offered)) {
      throw new TreeglassError("WorkerFailed", "A tool's definition is none of MCP's.");
    }
    return offered;
  });
}

function toCallToolResult(outcome: ToolOutcome, results: McpResults): CallToolResult {
  const { text, isError, result } = outcome;
  const flagged = isError ? { isError } : {};
  const structured = result?.structured ?? null;
  if (results === "text" || structured === null) {
    return { content: [{ type: "text", text }], ...flagged };
  }
  // What guides the model is no part of the data, and has no other way to it.
  const shown = results === "both" ? text : text.slice(result?.content.length).trimStart();
  const content = shown === "" ? [] : [{ type: "text" as const, text: shown }];
  return { content, structuredContent: { ...structured }, ...flagged };
}

/** Returns all that a host may hand to its model. */
function readByModel({ content, structuredContent }: CallToolResult): string {
  const texts = content.map((block) => (block.type === "text" ? block.text : ""));
  const json = isRecord(structuredContent) ? [JSON.stringify(structuredContent)] : [];
  return [...texts, ...json].join("\n");
}
