/** The tools as an MCP server for one client, by the official library. */
import type { Server } from "@modelcontextprotocol/server";
import { type McpServerOptions, makeServer, offer } from "./mcp-server.ts";
import type { ToolClient } from "./tool-client.ts";

export type { McpResults, McpServerOptions } from "./mcp-server.ts";

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
