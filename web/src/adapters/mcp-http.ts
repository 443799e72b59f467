/** The tools as an MCP server over HTTP, for any number of clients, built on the official library. */
import { createMcpHandler, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { reportError } from "../lib/report-error.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { HttpRefusal, readJson, rpcError } from "./http-body.ts";
import { HTTP_OPTION_NAMES, HttpGate, type HttpOptions } from "./http-gate.ts";
import { type McpServerOptions, makeServer, offer, requireResults } from "./mcp-server.ts";
import { requireOptions } from "./toolset-options.ts";
import type { ToolClient } from "./toolset-types.ts";

export type { HttpOptions } from "./http-gate.ts";
export type { McpResults, McpServerOptions } from "./mcp-server.ts";

/** One client for all callers, or a function that returns the client of a request's caller. */
export type SharedClient = ToolClient | ((request: Request) => ToolClient | Promise<ToolClient>);

export interface McpHandlerOptions extends McpServerOptions, HttpOptions {}

const HANDLER_OPTIONS = ["results", ...HTTP_OPTION_NAMES];

const METHODS = "POST, OPTIONS";

/**
 * Returns a handler for the HTTP requests of MCP clients, at a path of the server's choice:
 * streamable HTTP without sessions, for clients of the revision 2026-07-28 and of earlier ones.
 *
 * The handler reads the definitions of the tools once; after `configure`, make another handler. A
 * call is stopped if its sender leaves. A request that violates the protocol is answered with a
 * JSON-RPC error and a status of 400 to 415.
 *
 * The handler answers every request: the server must decide who may send one before it passes the
 * request on. On a loopback address, `allowedHosts` keeps foreign pages out.
 *
 * @param client one client for all callers, or a function that returns the client of a request's
 *   caller; callers that must not see each other's mounts need a client each.
 * @throws TreeglassError `BadRequest` for invalid options.
 */
export function createMcpFetchHandler(
  client: SharedClient,
  options: McpHandlerOptions = {},
): (request: Request) => Promise<Response> {
  requireOptions(options, HANDLER_OPTIONS);
  requireResults(options.results);
  const gate = new HttpGate(options);
  const cache = new PerClientCache(client, (ofCaller) => offer(ofCaller, options, HANDLER_OPTIONS));
  const { fetch } = createMcpHandler(async ({ requestInfo }) => {
    try {
      if (requestInfo === undefined) {
        throw new TreeglassError("BadRequest", "There is no request to tell the caller by.");
      }
      return makeServer(await cache.of(requestInfo));
    } catch (error) {
      reportError(error);
      throw error;
    }
  });
  const follow = async (request: Request) => {
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { Allow: METHODS } });
    }
    // Parsed here: the library would replace invalid UTF-8, and accept any depth that its stack holds.
    const { maxBodyBytes } = gate;
    const isPost = request.method === "POST";
    return fetch(request, isPost ? { parsedBody: await readJson(request, maxBodyBytes) } : {});
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
    return error.toResponse();
  }
  if (request.signal.aborted) {
    // The status is for the server's log; the sender does not read it.
    return new Response(null, { status: 499 });
  }
  reportError(error);
  return rpcError(500, ProtocolErrorCode.InternalError, "Internal server error");
}

/** Makes a value at a client's first request, and returns the same one for its later requests. */
class PerClientCache<Made> {
  readonly #client: SharedClient;
  readonly #make: (client: ToolClient) => Promise<Made>;
  // Values, not promises: some runtimes forbid a request to wait for the promise of another one.
  readonly #made = new WeakMap<ToolClient, Made>();

  constructor(client: SharedClient, make: (client: ToolClient) => Promise<Made>) {
    this.#client = client;
    this.#make = make;
  }

  async of(request: Request): Promise<Made> {
    const client = typeof this.#client === "function" ? await this.#client(request) : this.#client;
    const made = this.#made.get(client) ?? (await this.#make(client));
    this.#made.set(client, made);
    return made;
  }
}
