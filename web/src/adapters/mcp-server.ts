/** The definitions and answers of every MCP server of the tools. */
import {
  type CallToolResult,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { createToolset, type Toolset, type ToolsetOptions } from "./toolset.ts";

/** How an answer is sent that is both text and data. */
export type McpResults = "text" | "structured" | "both";

export interface McpServerOptions extends ToolsetOptions {
  /**
   * `text` sends the text of the tool's specification; `structured` sends the same as data if the
   * tool defines it; `both` sends both, which costs the model's context twice.
   *
   * A tool has an output schema if its answers are sent as data.
   * @default "text"
   */
  readonly results?: McpResults;
}

/** The server's name and version. */
const IMPLEMENTATION = { name: "treeglass", title: "treeglass", version: "0.1.0" } as const;

const RESULTS: readonly unknown[] = ["text", "structured", "both"] satisfies McpResults[];

/** The offer, the same for every client. */
export interface Offer {
  readonly toolset: Toolset;
  readonly tools: Tool[];
  readonly results: McpResults;
}

/**
 * Returns the offer of a client's tools.
 *
 * Rejects with `BadRequest` for invalid options.
 */
export async function offer(
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

/** Throws `BadRequest` for an unknown value of `results`. */
export function requireResults(results: McpResults = "text"): void {
  if (!RESULTS.includes(results)) {
    throw new TreeglassError(
      "BadRequest",
      `results is ${JSON.stringify(results)}; it has to be "text", "structured" or "both".`,
    );
  }
}

/** Returns the server for one MCP client. */
export function makeServer({ toolset, tools, results }: Offer): Server {
  // The library's McpServer would refuse arguments in its own words instead of the tool's, and would
  // rewrite the schemas.
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

/** Returns the definitions; only an answer with data may have an output schema. */
async function describe(toolset: Toolset, results: McpResults): Promise<Tool[]> {
  const described = await toolset.describe("mcp");
  return described.map((tool) => {
    const { outputSchema: _, ...withoutSchema } = tool;
    const offered: unknown = results === "text" ? withoutSchema : tool;
    if (!isSpecType.Tool(offered)) {
      throw new TreeglassError("WorkerFailed", "A tool's definition is no valid MCP definition.");
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
  // The guide for the model is no part of the data, and has no other channel.
  const shown = results === "both" ? text : text.slice(result?.content.length).trimStart();
  const content = shown === "" ? [] : [{ type: "text" as const, text: shown }];
  return { content, structuredContent: { ...structured }, ...flagged };
}

/** Returns everything that a host may pass to its model. */
function readByModel({ content, structuredContent }: CallToolResult): string {
  const texts = content.map((block) => (block.type === "text" ? block.text : ""));
  const json = isRecord(structuredContent) ? [JSON.stringify(structuredContent)] : [];
  return [...texts, ...json].join("\n");
}
