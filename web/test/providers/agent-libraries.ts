/** Agent hosts by the libraries that run the loop of requests and calls themselves. */
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, stepCountIs, streamText } from "ai";
import { aiSdkTools } from "../../src/adapters/ai-sdk.ts";
import { langChainTools } from "../../src/adapters/langchain.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { QUESTION } from "./exploration.ts";
import { type Converse, type Host, KEY, type Started } from "./hosts.ts";

const REQUESTS = ["/v1/chat/completions", "/v1/chat/completions", `Bearer ${KEY}`] as const;

/** The Vercel AI SDK; its messages are those after the question. */
export function aiSdkHost(started: Started): Host {
  const setup = async (name: string, options: ToolsetOptions, abortSignal?: AbortSignal) => ({
    model: createOpenAICompatible({
      name: "loopback",
      baseURL: `${started.providers.origin}/v1`,
      apiKey: KEY,
    })(name),
    tools: await aiSdkTools(started.client, options),
    prompt: QUESTION,
    stopWhen: stepCountIs(10),
    maxRetries: 0,
    ...(abortSignal === undefined ? {} : { abortSignal }),
  });
  // Without members that are undefined.
  const plain = (messages: unknown) => JSON.parse(JSON.stringify(messages));
  const text = (words: string) => ({ type: "text", text: words });
  return {
    plain: async (model, options = {}, signal) =>
      plain((await generateText(await setup(model, options, signal))).responseMessages),
    streamed: async (model, options = {}, signal) => {
      const errors: unknown[] = [];
      const onError = ({ error }: { error: unknown }) => {
        errors.push(error);
      };
      const result = streamText({ ...(await setup(model, options, signal)), onError });
      try {
        return plain(await result.responseMessages);
      } catch (error) {
        // Only the listener learns the cause from the SDK.
        throw errors[0] ?? error;
      }
    },
    requests: REQUESTS,
    asked: [],
    asks: (calls, introduction) => {
      const content = calls.map(([toolCallId, { name, args }]) => ({
        type: "tool-call",
        toolCallId,
        toolName: name,
        input: args,
      }));
      const said = introduction === undefined ? [] : [text(introduction)];
      return [{ role: "assistant", content: [...said, ...content] }];
    },
    told: (answers) => {
      const content = answers.map(([toolCallId, { name }, value, isError = false]) => ({
        type: "tool-result",
        toolCallId,
        toolName: name,
        output: { type: isError ? "error-text" : "text", value },
      }));
      return [{ role: "tool", content }];
    },
    says: (words) => ({ role: "assistant", content: [text(words)] }),
    sent: ({ args }) => args,
  };
}

type AskLangChain = (
  model: ReturnType<ChatOpenAI["bindTools"]>,
  messages: BaseMessage[],
  config: { signal?: AbortSignal },
) => Promise<AIMessage>;

/** LangChain.js; its messages are those after the question, in short. */
export function langChainHost(started: Started): Host {
  const by =
    (ask: AskLangChain): Converse =>
    async (model, options = {}, signal) => {
      const config = signal === undefined ? {} : { signal };
      const tools = await langChainTools(started.client, options);
      const configuration = { baseURL: `${started.providers.origin}/v1` };
      const chat = new ChatOpenAI({ model, apiKey: KEY, maxRetries: 0, configuration });
      const bound = chat.bindTools([...tools]);
      const messages: BaseMessage[] = [new HumanMessage(QUESTION)];
      const said: unknown[] = [];
      for (;;) {
        const message = await ask(bound, messages, config);
        const { tool_calls = [], invalid_tool_calls = [] } = message;
        const calls = [...tool_calls, ...invalid_tool_calls];
        messages.push(message);
        said.push({
          asks: calls.map(({ id, name, args }) => [id, name, args]),
          text: message.text,
        });
        if (calls.length === 0) {
          return said;
        }
        const answers = await Promise.all(
          calls.map((call) => {
            const tool = tools.find(({ name }) => name === call.name);
            // LangChain's agents answer an unknown tool like this: they have nothing to invoke.
            const content = "no such tool";
            return tool === undefined
              ? new ToolMessage({ content, status: "error", tool_call_id: call.id ?? "" })
              : tool.invoke(call, config);
          }),
        );
        messages.push(...answers);
        said.push(
          ...answers.map(({ text, tool_call_id, name, status }) => ({
            told: text,
            id: tool_call_id,
            name,
            status,
          })),
        );
      }
    };
  return {
    plain: by((model, messages, config) => model.invoke(messages, config)),
    streamed: by(async (model, messages, config) => {
      const chunks: AIMessageChunk[] = [];
      for await (const chunk of await model.stream(messages, config)) {
        chunks.push(chunk);
      }
      const [first, ...rest] = chunks;
      assert.ok(first);
      return rest.reduce((message, chunk) => message.concat(chunk), first);
    }),
    requests: REQUESTS,
    asked: [],
    asks: (calls, text = "") => [
      { asks: calls.map(([id, { name, args }]) => [id, name, args]), text },
    ],
    told: (answers) =>
      answers.map(([id, { name }, text, isError = false]) => ({
        told: text,
        id,
        name,
        status: isError ? "error" : "success",
      })),
    says: (text) => ({ asks: [], text }),
    sent: ({ args }) => args,
  };
}
