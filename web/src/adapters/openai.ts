/** The tools for OpenAI's Responses and for Chat Completions, which most local servers speak too. */
import { isRecord } from "../lib/checks.ts";
import type { JsonSchema } from "../protocol/tools.ts";
import { createToolset, type HostTraits, type ToolsetOptions } from "./toolset.ts";
import type { AnswerOptions, ToolClient } from "./toolset-types.ts";

export type { AnswerOptions } from "./toolset-types.ts";

/** A strict schema has no optional properties: a model sends null for what it leaves out. */
const STRICT: HostTraits = {
  nullsAreAbsent: true,
  names: { pattern: /^[A-Za-z0-9_-]{1,64}$/, says: "1 to 64 of A-Z a-z 0-9 _ -" },
};

/** A tool for `responses.create({ tools })`, with a strict schema. */
export interface OpenAiTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict: true;
}

/** The part of a response that the adapter reads. */
export interface OpenAiResponse {
  readonly output: readonly { readonly type: string }[];
}

/** The answer to a call, for the `input` of the next request. */
export interface OpenAiCallOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string;
}

/** The tools of the Responses API. */
export interface OpenAiTools {
  readonly tools: OpenAiTool[];
  /**
   * Runs all calls of a response at the same time, and returns an output for each, in their order;
   * an empty list if the response has no calls. Calls of unknown tools are answered too, except
   * those that `answeredElsewhere` names.
   */
  answer(response: OpenAiResponse, options?: AnswerOptions): Promise<OpenAiCallOutput[]>;
}

/** Returns the tools for `responses.create`, and the function that answers their calls. */
export async function openAiTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<OpenAiTools> {
  const toolset = await createToolset(client, options, STRICT);
  // The Python package renders the shape that the format names.
  const tools = (await toolset.describe("openai")) as unknown as OpenAiTool[];
  return {
    tools,
    answer: ({ output }, options) =>
      Promise.all(
        output
          .filter(isFunctionCall)
          .filter(({ name }) => toolset.answers(name))
          .map(async ({ call_id, name, arguments: args }) => {
            const { text } = await toolset.call(name, args, { ...options, callId: call_id });
            return { type: "function_call_output", call_id, output: text } as const;
          }),
      ),
  };
}

/** A tool for `chat.completions.create({ tools })`, with a strict schema. */
export interface OpenAiChatTool {
  readonly type: "function";
  readonly function: Omit<OpenAiTool, "type">;
}

/** The part of an assistant's message that the adapter reads. */
export interface OpenAiChatMessage {
  readonly tool_calls?:
    | readonly {
        readonly id: string;
        readonly type: string;
        readonly function?: { readonly name: string; readonly arguments: string };
      }[]
    | null
    | undefined;
}

/** The answer to a call, for the `messages` of the next request. */
export interface OpenAiToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** A tool for `chat.completions.runTools({ tools })`, with the function that runs it. */
export interface OpenAiRunnableTool {
  readonly type: "function";
  readonly function: OpenAiChatTool["function"] & {
    readonly parameters: object;
    function(
      args: string,
      runner: { readonly controller: { readonly signal: AbortSignal } },
    ): Promise<string>;
  };
}

/** The tools of Chat Completions. */
export interface OpenAiChatTools {
  readonly tools: OpenAiChatTool[];
  /**
   * Runs all calls of an assistant's message at the same time, and returns a message for each, in
   * their order; an empty list if the message has no calls. Calls of unknown tools are answered
   * too, except those that `answeredElsewhere` names.
   */
  answer(message: OpenAiChatMessage, options?: AnswerOptions): Promise<OpenAiToolMessage[]>;
  /** The same tools for `runTools`, which calls them itself and passes no call ids for the log. */
  readonly runnable: OpenAiRunnableTool[];
}

/** Returns the tools for `chat.completions`, and the function that answers their calls. */
export async function openAiChatTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<OpenAiChatTools> {
  const toolset = await createToolset(client, options, STRICT);
  // The Python package renders the shape that the format names.
  const tools = (await toolset.describe("openai-chat")) as unknown as OpenAiChatTool[];
  return {
    tools,
    answer: ({ tool_calls }, options) =>
      Promise.all(
        (tool_calls ?? [])
          // Every call needs an answer, of any type, or the provider refuses the conversation.
          .map(({ id, function: { name, arguments: args } = { name: "", arguments: "" } }) => ({
            id,
            name,
            args,
          }))
          .filter(({ name }) => toolset.answers(name))
          .map(async ({ id, name, args }) => {
            const { text } = await toolset.call(name, args, { ...options, callId: id });
            return { role: "tool", tool_call_id: id, content: text } as const;
          }),
      ),
    runnable: tools.map(({ type, function: described }) => ({
      type,
      function: {
        ...described,
        async function(args, { controller: { signal } }) {
          return (await toolset.call(described.name, args, { signal })).text;
        },
      },
    })),
  };
}

interface FunctionCall {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

function isFunctionCall(item: unknown): item is FunctionCall {
  return isRecord(item) && item.type === "function_call";
}
