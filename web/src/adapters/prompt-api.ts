/** The tools for the model that a browser has built in: Chrome's Prompt API. */
import type { JsonSchema } from "../protocol/tools.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { createToolset, type ToolsetOptions } from "./toolset.ts";

/** A tool as `LanguageModel.create` takes it. */
export interface PromptApiTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * A call that the model asks for: a `LanguageModelToolCall`.
 *
 * Drafts differ in the case of the id, and a browser may leave it empty for every call.
 */
export interface PromptApiToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly callID?: string;
  readonly callId?: string;
}

/** A call as it stands in what `prompt` resolves with, or in a chunk of `promptStreaming`. */
export interface PromptApiToolCallContent {
  readonly type: "tool-call";
  readonly value: PromptApiToolCall;
}

/** An answer as `prompt` takes it in the content of a message of the role `user`. */
export interface PromptApiToolResponse {
  readonly type: "tool-response";
  /** A `LanguageModelToolSuccess` or `LanguageModelToolError`, of the browser's own class. */
  readonly value: object;
}

/** What the Prompt API is given, and what answers its calls. */
export interface PromptApiTools {
  /** For `LanguageModel.create` and `LanguageModel.availability`, as the next two are. */
  readonly tools: PromptApiTool[];
  readonly expectedInputs: { type: "text" | "tool-response" }[];
  readonly expectedOutputs: { type: "text" | "tool-call" }[];
  /**
   * Runs the calls of one turn at the same time and resolves with an answer to each, in their
   * order. Text among the content of a turn is passed over; without calls the answer is empty.
   *
   * Rejects with the signal's reason where that aborts, and for nothing else.
   */
  answer(
    calls: Iterable<PromptApiToolCall | PromptApiToolCallContent | PromptApiText>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<PromptApiToolResponse[]>;
}

/** The text of a turn, whole or in a chunk. */
export type PromptApiText = string | { readonly type: "text"; readonly value: unknown };

/**
 * Returns the tools for the browser's own model.
 *
 * Its context is small: where the options give no `output`, a call gives it 1,500 characters.
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
    answer: (calls, { signal } = {}) =>
      Promise.all(
        [...calls]
          .flatMap(toCall)
          .filter(({ name }) => toolset.answers(name))
          .map(async ({ name, arguments: args, callID, callId = callID ?? "" }) => {
            const outcome = await toolset.call(name, args, { signal, callId });
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
  // Both spellings: a dictionary of the browser passes over the one that it does not know.
  const of = { callID: callId, callId, name };
  return isError
    ? construct("LanguageModelToolError", { ...of, errorMessage: text })
    : construct("LanguageModelToolSuccess", { ...of, result: [{ type: "text", value: text }] });
}

/** Returns an object of the browser's class; `prompt` refuses any other where there is one. */
function construct(className: string, init: object): object {
  const known: unknown = Reflect.get(globalThis, className);
  return typeof known === "function" ? Reflect.construct(known, [init]) : init;
}
