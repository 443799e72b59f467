/** A model behind a server that speaks Chat Completions, and its conversation. */

import { openAiChatTools } from "../../adapters/openai.ts";
import type { ToolsetOptions } from "../../adapters/toolset.ts";
import type { ToolClient } from "../../adapters/toolset-types.ts";
import type { AgentModel, ModelTurn } from "./agent-loop.ts";
import { type ChatEndpoint, ChatWire } from "./chat-wire.ts";
import { ModelFailure, WORDS, wordCut } from "./model-failure.ts";
import type { StreamedReply, Usage, WireCall } from "./streamed-reply.ts";

export interface ModelContext {
  readonly client: ToolClient;
  readonly systemPrompt: string;
  readonly toolsetOptions: ToolsetOptions;
}

type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | AssistantMessage;

interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
}

export interface ChatModel extends AgentModel {
  /** Adds a question; a new key does not begin a new conversation. */
  ask(question: string, key: string): void;
}

/** Returns the model; `onUsage` hears what the server counted for each request. */
export async function createChatModel(
  endpoint: ChatEndpoint,
  model: string,
  { client, systemPrompt, toolsetOptions }: ModelContext,
  onUsage: (usage: Usage) => void,
): Promise<ChatModel> {
  const { tools, answer } = await openAiChatTools(client, toolsetOptions);
  const isPlain = endpoint.preset.takesPlainSchemas === true;
  const request = { model, tools: isPlain ? await plainTools(client, tools) : tools };
  const messages: Message[] = [{ role: "system", content: systemPrompt }];
  let wire = new ChatWire(endpoint);
  let asking: AssistantMessage | null = null;

  const keep = ({ text, calls, cutReason }: StreamedReply): ModelTurn => {
    if (cutReason !== null && text === "" && calls.length === 0) {
      throw new ModelFailure(WORDS.empty(wire.origin, cutReason));
    }
    if (calls.length === 0) {
      asking = null;
      messages.push({ role: "assistant", content: text });
    } else {
      asking = { role: "assistant", content: text === "" ? null : text, tool_calls: calls };
    }
    return { text, calls, ...(cutReason !== null && { cut: wordCut(wire.origin, cutReason) }) };
  };
  return {
    ask: (question, key) => {
      wire = new ChatWire({ ...endpoint, key });
      messages.push({ role: "user", content: question });
    },
    retract: () => void (messages.at(-1)?.role === "user" && messages.pop()),
    takeTurn: async (options) => {
      const reply = await wire.complete({ ...request, messages }, options);
      if (reply.usage !== null) {
        onUsage(reply.usage);
      }
      return keep(reply);
    },
    answerCalls: async (signal) => {
      if (asking !== null) {
        const answers = await answer(asking, { signal });
        messages.push(asking, ...answers);
      }
    },
  };
}

type ChatTools = Awaited<ReturnType<typeof openAiChatTools>>["tools"];

/** Returns tools without strict schemas, whose several types and other words a server may refuse. */
async function plainTools(client: ToolClient, tools: ChatTools): Promise<readonly object[]> {
  const offered = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
  return tools.map(({ type, function: { name } }) => {
    const { description, inputSchema } = offered.get(name) ?? {};
    const parameters: unknown = JSON.parse(JSON.stringify(inputSchema ?? {}), (key, value) =>
      key === "additionalProperties" || key === "default" ? undefined : value,
    );
    return { type, function: { name, description, parameters } };
  });
}
