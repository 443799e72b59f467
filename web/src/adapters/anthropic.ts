/** The tools in the shape of Anthropic's Messages API. */
import { isRecord } from "../lib/checks.ts";
import { createToolset, type HostTraits, type ToolsetOptions } from "./toolset.ts";
import type { AnswerOptions, ToolClient } from "./toolset-types.ts";

const HOST: HostTraits = {
  names: { pattern: /^[A-Za-z0-9_-]{1,128}$/, says: "1 to 128 of A-Z a-z 0-9 _ -" },
};

/** A tool for `messages.create({ tools })`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [keyword: string]: unknown };
}

/** The part of the model's message that the adapter reads. */
export interface AnthropicMessage {
  readonly content: readonly { readonly type: string }[];
}

/** The answer to a call; the content of the next message starts with these. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: boolean;
}

/** A tool for `beta.messages.toolRunner({ tools })`, with the function that runs it. */
export interface AnthropicRunnableTool extends AnthropicTool {
  /** Throws an error with the text for the model if the call fails; the runner adds `Error: `. */
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
   * an empty list if the message has no calls. Calls of unknown tools are answered too, except
   * those that `answeredElsewhere` names.
   */
  answer(message: AnthropicMessage, options?: AnswerOptions): Promise<AnthropicToolResult[]>;
  /** The same tools for `toolRunner`, which calls them itself. */
  readonly runnable: AnthropicRunnableTool[];
}

/** Returns the tools for `messages.create`, and the function that answers their calls. */
export async function anthropicTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<AnthropicTools> {
  const toolset = await createToolset(client, options, HOST);
  // The Python package renders the shape that the format names.
  const tools = (await toolset.describe("anthropic")) as unknown as AnthropicTool[];
  return {
    tools,
    answer: ({ content }, options) =>
      Promise.all(
        content
          .filter(isToolUse)
          .filter(({ name }) => toolset.answers(name))
          .map(async ({ id, name, input }) => {
            const { text, isError } = await toolset.call(name, input, { ...options, callId: id });
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
