/** Agent hosts: conversations with the scripted models, by each provider's own library. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { type Content, type GenerateContentParameters, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { anthropicTools } from "../../src/adapters/anthropic.ts";
import { geminiTools } from "../../src/adapters/gemini.ts";
import { openAiChatTools, openAiTools } from "../../src/adapters/openai.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { QUESTION, type Step, type startForAllTests, strictly } from "./exploration.ts";

/** The client and the providers of a file of tests. */
export type Started = ReturnType<typeof startForAllTests>;

/** A call of a model: its id and what it calls. */
export type Called = readonly [id: string, call: Pick<Step, "name" | "args">];

/** The answer to a call. */
export type Told = readonly [...Called, text: string, isError?: boolean];

/** Asks until the model makes no more calls; returns all messages in the provider's own form. */
export type Converse = (
  model: string,
  options?: ToolsetOptions,
  signal?: AbortSignal,
) => Promise<unknown[]>;

/** A host, and the messages of a conversation in its provider's own form. */
export interface Host {
  readonly plain: Converse;
  readonly streamed: Converse;
  /** The path of the requests to a model, whole or streamed, and the key that they have. */
  readonly requests: readonly [plain: string, streamed: string, key: string];
  readonly asked: readonly unknown[];
  asks(calls: readonly Called[], introduction?: string): readonly unknown[];
  told(answers: readonly Told[]): readonly unknown[];
  says(text: string): unknown;
  /** Returns the arguments of a call as the adapter gets them. */
  sent(call: Called[1]): unknown;
}

/** A host, and its conversations by another way to ask. */
export interface HostBy<Ask> extends Host {
  by(ask: Ask): Converse;
}

/** How patient a library is. */
export interface Settings {
  readonly maxRetries?: number;
  readonly timeout?: number;
}

const ASKED = { role: "user", content: QUESTION } as const;
export const KEY = "sk-of-the-person";

const strictJson = (call: Called[1]) => JSON.stringify(strictly(call));

type Completed = Promise<OpenAI.ChatCompletion>;
type AskChat = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => Completed;

export function openAiLibrary({ providers }: Started, settings: Settings = {}): OpenAI {
  return new OpenAI({
    baseURL: `${providers.origin}/v1`,
    apiKey: KEY,
    maxRetries: 0,
    ...settings,
  });
}

/** OpenAI's Chat Completions. */
export function chatHost(started: Started): HostBy<AskChat> {
  const by =
    (ask: AskChat): Converse =>
    async (model, options = {}) => {
      const { tools, answer } = await openAiChatTools(started.client, options);
      const messages: OpenAI.ChatCompletionMessageParam[] = [ASKED];
      for (;;) {
        const message = (await ask({ model, messages, tools })).choices[0]?.message;
        assert.ok(message);
        messages.push(sendable(message));
        const answers = await answer(message);
        if (answers.length === 0) {
          return messages;
        }
        messages.push(...answers);
      }
    };
  return {
    by,
    plain: by((body) => openAiLibrary(started).chat.completions.create(body)),
    streamed: by((body) =>
      openAiLibrary(started)
        .chat.completions.stream({ ...body, stream: true })
        .finalChatCompletion(),
    ),
    requests: ["/v1/chat/completions", "/v1/chat/completions", `Bearer ${KEY}`],
    asked: [ASKED],
    asks: (calls, introduction) => [
      chatCalls(
        calls.map(([id, call]) => [id, call.name, strictJson(call)]),
        introduction,
      ),
    ],
    told: (answers) =>
      answers.map(([id, , text]) => ({ role: "tool", tool_call_id: id, content: text })),
    says: (content) => ({ role: "assistant", content }),
    sent: strictJson,
  };
}

/** Returns an assistant's message with calls, whose arguments are JSON text. */
export function chatCalls(
  calls: readonly (readonly [id: string, name: string, args: string])[],
  content: string | null = null,
): OpenAI.ChatCompletionMessageParam {
  const tool_calls = calls.map(([id, name, args]) => ({
    id,
    type: "function" as const,
    function: { name, arguments: args },
  }));
  return { role: "assistant", content, tool_calls };
}

/** Leaves out the members that the library's helpers add, such as parsed arguments. */
function sendable(message: OpenAI.ChatCompletionMessage): OpenAI.ChatCompletionMessageParam {
  const { content, tool_calls = [] } = message;
  const calls = tool_calls.flatMap((call) =>
    call.type === "function"
      ? [[call.id, call.function.name, call.function.arguments] as const]
      : [],
  );
  return calls.length === 0 ? { role: "assistant", content } : chatCalls(calls, content);
}

interface AskedResponse {
  readonly model: string;
  readonly tools: OpenAI.Responses.Tool[];
  readonly input: string | OpenAI.Responses.ResponseInputItem[];
  readonly previous_response_id?: string;
}

/** OpenAI's Responses, which keep the conversation: its messages are the model's items alone. */
export function responsesHost(started: Started): Host {
  const by =
    (ask: (body: AskedResponse) => Promise<OpenAI.Responses.Response>): Converse =>
    async (model, options = {}) => {
      const { tools, answer } = await openAiTools(started.client, options);
      const messages: unknown[] = [];
      let response = await ask({ model, tools, input: QUESTION });
      for (;;) {
        const calls = response.output.filter((item) => item.type === "function_call");
        messages.push(...calls.map((call) => [call.call_id, call.name, call.arguments]));
        if (response.output_text !== "") {
          messages.push(response.output_text);
        }
        const input = await answer(response);
        if (input.length === 0) {
          return messages;
        }
        messages.push(...input);
        response = await ask({ model, tools, input, previous_response_id: response.id });
      }
    };
  return {
    plain: by((body) => openAiLibrary(started).responses.create(body)),
    streamed: by((body) => openAiLibrary(started).responses.stream(body).finalResponse()),
    requests: ["/v1/responses", "/v1/responses", `Bearer ${KEY}`],
    asked: [],
    asks: (calls, introduction) => [
      ...calls.map(([id, call]) => [id, call.name, strictJson(call)]),
      ...(introduction === undefined ? [] : [introduction]),
    ],
    told: (answers) =>
      answers.map(([id, , text]) => ({ type: "function_call_output", call_id: id, output: text })),
    says: (text) => text,
    sent: strictJson,
  };
}

type AskClaude = (body: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>;

export function anthropicLibrary({ providers }: Started, settings: Settings = {}): Anthropic {
  return new Anthropic({ baseURL: providers.origin, apiKey: KEY, maxRetries: 0, ...settings });
}

export function anthropicHost(started: Started): HostBy<AskClaude> {
  const by =
    (ask: AskClaude): Converse =>
    async (model, options = {}) => {
      const { tools, answer } = await anthropicTools(started.client, options);
      const messages: Anthropic.MessageParam[] = [ASKED];
      for (;;) {
        const { content } = await ask({ model, max_tokens: 100, messages, tools });
        messages.push({ role: "assistant", content });
        const results = await answer({ content });
        if (results.length === 0) {
          return messages;
        }
        messages.push({ role: "user", content: results });
      }
    };
  const text = (words: string) => ({ type: "text", text: words, citations: null });
  return {
    by,
    plain: by((body) => anthropicLibrary(started).messages.create(body)),
    streamed: by((body) => anthropicLibrary(started).messages.stream(body).finalMessage()),
    requests: ["/v1/messages", "/v1/messages", `Bearer ${KEY}`],
    asked: [ASKED],
    asks: (calls, introduction) => {
      const uses = calls.map(([id, { name, args }]) => ({
        type: "tool_use",
        id,
        name,
        input: args,
      }));
      const said = introduction === undefined ? [] : [text(introduction)];
      return [{ role: "assistant", content: [...said, ...uses] }];
    },
    told: (answers) => {
      const content = answers.map(([id, , content, is_error = false]) => ({
        type: "tool_result",
        tool_use_id: id,
        content,
        is_error,
      }));
      return [{ role: "user", content }];
    },
    says: (words) => ({ role: "assistant", content: [text(words)] }),
    sent: ({ args }) => args,
  };
}

export function geminiLibrary({ providers }: Started): GoogleGenAI {
  return new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: providers.origin } });
}

type AskGemini = (request: GenerateContentParameters) => Promise<Content | null>;

export function geminiHost(started: Started): HostBy<AskGemini> {
  const by =
    (ask: AskGemini): Converse =>
    async (model, options = {}) => {
      const { tools, answer } = await geminiTools(started.client, options);
      const contents: Content[] = [{ role: "user", parts: [{ text: QUESTION }] }];
      for (;;) {
        const content = await ask({ model, contents, config: { tools } });
        contents.push(...(content === null ? [] : [content]));
        const parts = await answer(content);
        if (parts.length === 0) {
          return contents;
        }
        contents.push({ role: "user", parts });
      }
    };
  const said = (text: string) => (text === "" ? [] : [{ text }]);
  return {
    by,
    plain: by(async (request) => {
      const { candidates } = await geminiLibrary(started).models.generateContent(request);
      return candidates?.[0]?.content ?? null;
    }),
    streamed: by(async (request) => {
      const parts: NonNullable<Content["parts"]> = [];
      const stream = await geminiLibrary(started).models.generateContentStream(request);
      for await (const { candidates } of stream) {
        parts.push(...(candidates?.[0]?.content?.parts ?? []));
      }
      const text = parts.map((part) => part.text ?? "").join("");
      const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
      return parts.length === 0 ? null : { role: "model", parts: [...said(text), ...calls] };
    }),
    requests: [
      "/v1/models/explorer:generateContent",
      "/v1/models/explorer:streamGenerateContent?alt=sse",
      KEY,
    ],
    asked: [{ role: "user", parts: [{ text: QUESTION }] }],
    asks: (calls, introduction = "") => {
      const parts = calls.map(([id, { name, args }]) => ({ functionCall: { id, name, args } }));
      return [{ role: "model", parts: [...said(introduction), ...parts] }];
    },
    told: (answers) => {
      const parts = answers.map(([id, { name }, text, isError = false]) => ({
        functionResponse: { id, name, response: isError ? { error: text } : { output: text } },
      }));
      return [{ role: "user", parts }];
    },
    says: (text) => ({ role: "model", parts: [{ text }] }),
    sent: ({ args }) => args,
  };
}
