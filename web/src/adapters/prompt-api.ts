/** The tools for the model that is built into a browser: Chrome's Prompt API. */
import type { JsonSchema } from "../protocol/tools.ts";
import { createToolset, type ToolsetOptions } from "./toolset.ts";
import type { AnswerOptions, ToolClient, ToolOutcome } from "./toolset-types.ts";

/** A tool for `LanguageModel.create`. */
export interface PromptApiTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * A tool call of the model: a `LanguageModelToolCall`.
 *
 * Drafts of the API spell the id `callID` or `callId`. A browser may leave it empty.
 */
export interface PromptApiToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly callID?: string;
  readonly callId?: string;
}

/** A tool call in the result of `prompt`, or in a chunk of `promptStreaming`. */
export interface PromptApiToolCallContent {
  readonly type: "tool-call";
  readonly value: PromptApiToolCall;
}

/** An answer for `prompt`, in the content of a message with the role `user`. */
export interface PromptApiToolResponse {
  readonly type: "tool-response";
  /** A `LanguageModelToolSuccess` or `LanguageModelToolError`, of the browser's own class. */
  readonly value: object;
}

/** The options for the Prompt API, and the function that answers its calls. */
export interface PromptApiTools {
  /** For `LanguageModel.create` and `LanguageModel.availability`, like the next two. */
  readonly tools: PromptApiTool[];
  readonly expectedInputs: { type: "text" | "tool-response" }[];
  readonly expectedOutputs: { type: "text" | "tool-call" }[];
  /**
   * Runs the calls of one turn at the same time and resolves with an answer to each, in their
   * order. Text in the turn is ignored; a turn without calls resolves with an empty list.
   *
   * Rejects only if the signal aborts, with its reason.
   */
  answer(
    calls: Iterable<PromptApiToolCall | PromptApiToolCallContent | PromptApiText>,
    options?: AnswerOptions,
  ): Promise<PromptApiToolResponse[]>;
}

/** The text of a turn, whole or in a chunk. */
export type PromptApiText = string | { readonly type: "text"; readonly value: unknown };

/**
 * Returns the tools for the browser's own model.
 *
 * Its context is small: without `output` in the options, a call returns at most 1,500 characters.
 * Rejects with `BadRequest` as `createToolset` does.
 */
export async function promptApiTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<PromptApiTools> {
  const toolset = await createToolset(client, options, { output: "webmcp", nullsAreAbsent: true });
  return {
    tools: toolset.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
    expectedInputs: [{ type: "text" }, { type: "tool-response" }],
    expectedOutputs: [{ type: "text" }, { type: "tool-call" }],
    answer: (calls, options) =>
      Promise.all(
        [...calls]
          .flatMap(toCall)
          .filter(({ name }) => toolset.answers(name))
          .map(async ({ name, arguments: args, callID, callId = callID ?? "" }) => {
            const outcome = await toolset.call(name, args, { ...options, callId });
            return { type: "tool-response" as const, value: toResponse(name, callId, outcome) };
          }),
      ),
  };
}

function toCall(
  part: PromptApiToolCall | PromptApiToolCallContent | PromptApiText,
): readonly PromptApiToolCall[] {
  if (typeof part === "string") {
    return [];
  }
  if ("name" in part) {
    return [part];
  }
  return part.type === "tool-call" ? [part.value] : [];
}

function toResponse(name: string, callId: string, { text, isError }: ToolOutcome): object {
  // Both spellings: the browser ignores the one that it does not know.
  const of = { callID: callId, callId, name };
  return isError
    ? construct("LanguageModelToolError", { ...of, errorMessage: text })
    : construct("LanguageModelToolSuccess", { ...of, result: [{ type: "text", value: text }] });
}

/** Returns an object of the browser's class: a browser that has the class accepts nothing else. */
function construct(className: string, init: object): object {
  const known: unknown = Reflect.get(globalThis, className);
  return typeof known === "function" ? Reflect.construct(known, [init]) : init;
}
