/** The tools in the shape of the Gemini API. */
import type { JsonSchema } from "../protocol/tools.ts";
import type { ToolClient } from "./tool-client.ts";
import { createToolset, type ToolsetOptions } from "./toolset.ts";

export interface GeminiToolsOptions extends ToolsetOptions {
  /**
   * The tools of other callables in the same request, which `callable` leaves to them: the client
   * library hands every call to each of them. @default []
   */
  readonly answeredElsewhere?: readonly string[];
}

/** All tools as one member of `config.tools`. */
export interface GeminiTool {
  readonly functionDeclarations: {
    readonly name: string;
    readonly description: string;
    readonly parametersJsonSchema: JsonSchema;
    readonly responseJsonSchema?: JsonSchema;
  }[];
}

/** A call as the model asks for it. */
export interface GeminiFunctionCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** What the adapter needs of a candidate's content. */
export interface GeminiContent {
  readonly parts?:
    | readonly { readonly functionCall?: GeminiFunctionCall | undefined }[]
    | undefined;
}

/** What a call came to, as a part of the next content of the role `user`. */
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
   * order; none where nothing was asked for, or where the candidate has no content. A call of no
   * tool of these is answered too: a host that has tools of its own takes their calls out first.
   *
   * @param options.signal where it aborts, the answers reject with its reason.
   */
  answer(
    content: GeminiContent | null | undefined,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<GeminiFunctionResponse[]>;
  /** The same tools as a `CallableTool` for `config.tools`, which the client library calls itself. */
  readonly callable: {
    tool(): Promise<GeminiTool>;
    callTool(calls: readonly GeminiFunctionCall[]): Promise<GeminiFunctionResponse[]>;
  };
}

/** Returns the tools for `models.generateContent`, and what answers their calls. */
export async function geminiTools(
  client: ToolClient,
  { answeredElsewhere = [], ...options }: GeminiToolsOptions = {},
): Promise<GeminiTools> {
  const toolset = await createToolset(client, options);
  // Rendered by the package's own Python, in the shape that the format names.
  const tools = (await toolset.describe("gemini")) as unknown as [GeminiTool];
  const answerAll = (calls: readonly GeminiFunctionCall[], signal?: AbortSignal) =>
    Promise.all(
      calls.map(async ({ id, name = "", args }): Promise<GeminiFunctionResponse> => {
        const outcome = await toolset.call(name, args, { signal, callId: id ?? null });
        const { text, isError } = outcome;
        const response = isError ? { error: text } : { output: text };
        return { functionResponse: { ...(id === undefined ? {} : { id }), name, response } };
      }),
    );
  return {
    tools,
    answer: (content, { signal } = {}) =>
      answerAll(
        (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []),
        signal,
      ),
    callable: {
      tool: async () => tools[0],
      callTool: (calls) =>
        answerAll(calls.filter(({ name = "" }) => !answeredElsewhere.includes(name))),
    },
  };
}
