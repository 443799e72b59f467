/** What every MCP server of the tools offers, and how it answers. */
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

/** What is offered to every client alike. */
export interface Offer {
  readonly toolset: Toolset;
  readonly tools: Tool[];
  readonly results: McpResults;
}

/**
 * Returns what a client's tools are offered as.
 *
 * Rejects with `BadRequest` where the options make no sense.
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

/** Throws `BadRequest` for results that there are not. */
export function requireResults(results: McpResults = "text"): void {
  if (!RESULTS.includes(results)) {
    throw new TreeglassError(
      "BadRequest",
      `results is ${JSON.stringify(results)}; it has to be "text", "structured" or "both".`,
    );
  }
}

/** Returns a server of one client of MCP. */
export function makeServer({ toolset, tools, results }: Offer): Server {
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
