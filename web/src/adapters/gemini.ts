/** The tools in the shape of the Gemini API. */
import type { JsonSchema } from "../protocol/tools.ts";
import { createToolset, type HostTraits, type ToolsetOptions } from "./toolset.ts";
import type { AnswerOptions, ToolClient } from "./toolset-types.ts";

const HOST: HostTraits = {
  names: {
    pattern: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    says: "a letter or _ first, then up to 63 of A-Z a-z 0-9 _ . -",
  },
};

/** All tools as one member of `config.tools`. */
export interface GeminiTool {
  readonly functionDeclarations: {
    readonly name: string;
    readonly description: string;
    readonly parametersJsonSchema: JsonSchema;
  }[];
}

/** A tool call of the model. */
export interface GeminiFunctionCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** The part of a candidate's content that the adapter reads. */
export interface GeminiContent {
  readonly parts?:
    | readonly { readonly functionCall?: GeminiFunctionCall | undefined }[]
    | undefined;
}

/** The answer to a call, as a part of the next content with the role `user`. */
export interface GeminiFunctionResponse {
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    readonly response: { readonly output: string } | { readonly error: string };
  };
}

/** The tools of the Gemini API. */
export interface GeminiTools {
  readonly tools: GeminiTool[];
  /**
   * Runs all calls of a candidate's content at the same time, and returns a part for each, in their
   * order; an empty list if the candidate has no calls or no content. Calls of unknown tools are
   * answered too, except those that `answeredElsewhere` names.
   */
  answer(
    content: GeminiContent | null | undefined,
    options?: AnswerOptions,
  ): Promise<GeminiFunctionResponse[]>;
  /**
   * The same tools as a `CallableTool` for `config.tools`, which the client library calls itself.
   * The library passes every call to each callable, so name other callables' tools in
   * `answeredElsewhere`.
   */
  readonly callable: {
    tool(): Promise<GeminiTool>;
    callTool(calls: readonly GeminiFunctionCall[]): Promise<GeminiFunctionResponse[]>;
  };
}

/** Returns the tools for `models.generateContent`, and the function that answers their calls. */
export async function geminiTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<GeminiTools> {
  const toolset = await createToolset(client, options, HOST);
  // The Python package renders the shape that the format names.
  const tools = (await toolset.describe("gemini")) as unknown as [GeminiTool];
  const answerAll = (calls: readonly GeminiFunctionCall[], options?: AnswerOptions) =>
    Promise.all(
      calls
        .filter(({ name = "" }) => toolset.answers(name))
        .map(async ({ id, name = "", args }): Promise<GeminiFunctionResponse> => {
          const outcome = await toolset.call(name, args, { ...options, callId: id ?? null });
          const { text, isError } = outcome;
          const response = isError ? { error: text } : { output: text };
          return { functionResponse: { ...(id === undefined ? {} : { id }), name, response } };
        }),
    );
  return {
    tools,
    answer: (content, options) =>
      answerAll(
        (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []),
        options,
      ),
    callable: {
      tool: async () => tools[0],
      callTool: (calls) => answerAll(calls),
    },
  };
}
