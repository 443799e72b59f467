/** The MCP server that both MCP adapters share: its tools and its results. */
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
import { createToolset, type Toolset, type ToolsetOptions } from "./toolset.ts";
import type { ToolClient, ToolOutcome } from "./toolset-types.ts";

/** The form in which a result is sent: as text, as structured content, or as both. */
export type McpResults = "text" | "structured" | "both";

export interface McpServerOptions extends ToolsetOptions {
  /**
   * `text` sends the text that the tool's specification defines for the model. `structured` sends
   * the same as structured content, if the tool defines it. `both` sends both, which uses twice as
   * much of the model's context.
   *
   * A tool has an output schema only with `structured` and `both`.
   * @default "text"
   */
  readonly results?: McpResults;
}

/** The name by which the server introduces itself. */
const IMPLEMENTATION = { name: "treeglass", title: "treeglass", version: "0.1.0" } as const;

const RESULTS: readonly unknown[] = ["text", "structured", "both"] satisfies McpResults[];

/** The tools of one treeglass client, ready for any number of MCP servers. */
export interface Offer {
  readonly toolset: Toolset;
  readonly tools: Tool[];
  readonly results: McpResults;
  readonly client: ToolClient;
}

/**
 * Prepares the tools of a treeglass client for MCP.
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
  return { toolset, tools: await describe(toolset, results), results, client };
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

/** Returns a server for one MCP client. */
export function makeServer({ toolset, tools, results, client }: Offer): Server {
  // Not the library's McpServer: it validates arguments itself, so that a model would not read the
  // tool's own refusal, and it generates the schemas again.
  const server = new Server(IMPLEMENTATION, {
    capabilities: { tools: {} },
    ...instructionsOf(client),
  });
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

/** Returns where the files are, for a model; `treeglass mcp` of the wheel says the same. */
function instructionsOf(client: ToolClient): { instructions?: string } {
  const points = (client.mounts?.() ?? []).map(({ path }) => path).sort();
  if (points.length === 0) {
    return {};
  }
  const places = points.join(" and ");
  return {
    instructions: `The files are mounted at ${places}. The paths that the tools take begin there.`,
  };
}

/** Returns the definitions; MCP requires structured content from a tool with an output schema. */
async function describe(toolset: Toolset, results: McpResults): Promise<Tool[]> {
  const described = await toolset.describe("mcp");
  return described.map((tool) => {
    const { outputSchema: _, ...withoutSchema } = tool;
    const offered: unknown = results === "text" ? withoutSchema : tool;
    if (!isSpecType.Tool(offered)) {
      throw new TreeglassError(
        "WorkerFailed",
        "The definition of a tool does not match MCP's schema.",
      );
    }
    return offered;
  });
}

function toCallToolResult(outcome: ToolOutcome, results: McpResults): CallToolResult {
  const { text, isError, result } = outcome;
  const flagged = isError ? { isError } : {};
  const structured = result?.structuredContent ?? null;
  if (results === "text" || structured === null) {
    return { content: [{ type: "text", text }], ...flagged };
  }
  // The guiding line is not in the structured content, so it is sent as text.
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
