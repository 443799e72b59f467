/** The tools in the shape of Anthropic's Messages API. */
import { isRecord } from "../lib/checks.ts";
import type { ToolClient } from "./tool-client.ts";
import { createToolset, type HostTraits, type ToolsetOptions } from "./toolset.ts";

const HOST: HostTraits = {
  names: { pattern: /^[A-Za-z0-9_-]{1,128}$/, says: "1 to 128 of A-Z a-z 0-9 _ -" },
};

/** A tool as `messages.create({ tools })` takes it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [keyword: string]: unknown };
}

/** What the adapter needs of the model's message. */
export interface AnthropicMessage {
  readonly content: readonly { readonly type: string }[];
}

/** What a call came to, for the content of the next message, before anything else in it. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: boolean;
}

/** A tool as `beta.messages.toolRunner({ tools })` takes it: with the function that answers. */
export interface AnthropicRunnableTool extends AnthropicTool {
  /** Throws what the model is to be told as an error, which the runner puts `Error: ` before. */
  run(
    input: unknown,
    context?: {
      readonly toolUse: { readonly id: string };
      readonly signal?: AbortSignal | null | undefined;
    },
  ): Promise<string>;
  parse(input: unknown): unknown;
}

/** The tools of the Messages API. */
export interface AnthropicTools {
  readonly tools: AnthropicTool[];
  /**
   * Runs all calls of a message at the same time, and returns a block for each, in their order;
   * none where nothing was asked for. A call of no tool of these is answered too, but for those
   * that `answeredElsewhere` names.
   *
   * @param options.signal where it aborts, the answers reject with its reason.
   */
  answer(
    message: AnthropicMessage,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<AnthropicToolResult[]>;
  /** The same tools for `toolRunner`, which calls them itself. */
  readonly runnable: AnthropicRunnableTool[];
}

/** Returns the tools for `messages.create`, and what answers their calls. */
export async function anthropicTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<AnthropicTools> {
  const toolset = await createToolset(client, options, HOST);
  // Rendered by the package's own Python, in the shape that the format names.
  const tools = (await toolset.describe("anthropic")) as unknown as AnthropicTool[];
  return {
    tools,
    answer: ({ content }, { signal } = {}) =>
      Promise.all(
        content
          .filter(isToolUse)
          .filter(({ name }) => toolset.answers(name))
          .map(async ({ id, name, input }) => {
            const { text, isError } = await toolset.call(name, input, { signal, callId: id });
            return {
              type: "tool_result",
              tool_use_id: id,
              content: text,
              is_error: isError,
            } as const;
          }),
      ),
    runnable: tools.map((tool) => ({
      ...tool,
      async run(input, context) {
        const { text, isError } = await toolset.call(tool.name, input, {
          signal: context?.signal ?? undefined,
          callId: context?.toolUse.id ?? null,
        });
        if (isError) {
          throw new Error(text);
        }
        return text;
      },
      parse: (input) => input,
    })),
  };
}

interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function isToolUse(block: unknown): block is ToolUse {
  return isRecord(block) && block.type === "tool_use";
}
