/** The tools as an MCP server for one MCP client, built on the official library. */
import type { Server } from "@modelcontextprotocol/server";
import { type McpServerOptions, makeServer, offer } from "./mcp-server.ts";
import type { ToolClient } from "./toolset-types.ts";

export type { McpResults, McpServerOptions } from "./mcp-server.ts";

/**
 * Returns an MCP server that offers the tools; `server.connect(transport)` serves one client.
 *
 * The budget of `output` counts everything that can reach a model: text and structured content.
 * A call of an unknown tool is a protocol error; every other failed call is a result with `isError`.
 * Rejects with `BadRequest` for invalid options.
 */
export async function createMcpServer(
  client: ToolClient,
  options: McpServerOptions = {},
): Promise<Server> {
  return makeServer(await offer(client, options, ["results"]));
}
