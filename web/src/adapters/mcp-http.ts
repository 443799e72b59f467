/** The tools for all MCP clients that ask by HTTP, by the official library. */
import { createMcpHandler, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { reportError } from "../lib/report-error.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { readJson } from "./http-body.ts";
import { HTTP_OPTION_NAMES, HttpGate, type HttpOptions } from "./http-gate.ts";
import { HttpRefusal, jsonResponse, SENDER_LEFT_STATUS } from "./http-refusal.ts";
import { type McpServerOptions, makeServer, offer, requireResults } from "./mcp-server.ts";
import { PerClientCache, type SharedClient } from "./per-client-cache.ts";
import { requireOptions } from "./toolset-options.ts";

export type { HttpOptions } from "./http-gate.ts";
export type { McpResults, McpServerOptions } from "./mcp-server.ts";
export type { SharedClient } from "./per-client-cache.ts";

export interface McpHandlerOptions extends McpServerOptions, HttpOptions {}

const HANDLER_OPTIONS = ["results", ...HTTP_OPTION_NAMES];

const METHODS = "POST, OPTIONS";

/**
 * Returns what answers the HTTP requests of MCP clients, at whichever path the server chooses:
 * streamable HTTP without sessions, for clients of the revision 2026-07-28 and of those before.
 *
 * The definitions are asked for until the first answer is there; after `configure`, make another
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
  const desk = new PerClientCache(client, (ofCaller) => offer(ofCaller, options, HANDLER_OPTIONS));
  const { fetch } = createMcpHandler(async ({ requestInfo }) => {
    try {
      if (requestInfo === undefined) {
        throw new TreeglassError("BadRequest", "There is no request to tell the caller by.");
      }
      return makeServer(await desk.of(requestInfo));
    } catch (error) {
      reportError(error);
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
  reportError(error);
  const failed = { code: ProtocolErrorCode.InternalError, message: "Internal server error" };
  return jsonResponse(500, { jsonrpc: "2.0", error: failed, id: null });
}

/** JSON-RPC's code for what a server defines itself. */
const SERVER_ERROR = -32_000;
