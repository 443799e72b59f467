/** A model behind a server that speaks Chat Completions, and its conversation. */

import { openAiChatTools } from "../../adapters/openai.ts";
import type { ToolClient } from "../../adapters/toolset-types.ts";
import type { AgentModel, ModelContext, ModelTurn, TurnOptions } from "./agent-model.ts";
import { type ChatEndpoint, ChatWire } from "./chat-wire.ts";
import { failureOf, wordCut } from "./model-failure.ts";
import type { StreamedReply, Usage, WireCall } from "./streamed-reply.ts";

type ChatTools = Awaited<ReturnType<typeof openAiChatTools>>;

/** A message that the page sends. */
type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | AssistantMessage;

interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
}

/** Returns the model; `onUsage` hears what the server counted for each request. */
export async function createChatModel(
  endpoint: ChatEndpoint,
  model: string,
  { client, systemPrompt, toolsetOptions }: ModelContext,
  onUsage: (usage: Usage) => void,
): Promise<ChatModel> {
  const tools = await openAiChatTools(client, toolsetOptions);
  const isPlain = endpoint.preset.takesPlainSchemas === true;
  const request = { model, tools: isPlain ? await plainTools(client, tools) : tools.tools };
  return new ChatModel(endpoint, request, tools.answer, systemPrompt, onUsage);
}

export class ChatModel implements AgentModel {
  readonly #endpoint: ChatEndpoint;
  readonly #request: object;
  readonly #answer: ChatTools["answer"];
  readonly #onUsage: (usage: Usage) => void;
  readonly #messages: Message[];
  #wire: ChatWire;
  #turn: AssistantMessage | null = null;

  /** Use `createChatModel`. */
  constructor(
    endpoint: ChatEndpoint,
    request: object,
    answer: ChatTools["answer"],
    systemPrompt: string,
    onUsage: (usage: Usage) => void,
  ) {
    this.#endpoint = endpoint;
    this.#request = request;
    this.#answer = answer;
    this.#onUsage = onUsage;
    this.#messages = [{ role: "system", content: systemPrompt }];
    this.#wire = new ChatWire(endpoint);
  }

  ask(question: string): void {
    this.#messages.push({ role: "user", content: question });
  }

  retract(): void {
    if (this.#messages.at(-1)?.role === "user") {
      this.#messages.pop();
    }
  }

  useKey(key: string): void {
    this.#wire = new ChatWire({ ...this.#endpoint, key });
  }

  async takeTurn(options: TurnOptions): Promise<ModelTurn> {
    const request = { ...this.#request, messages: this.#messages };
    const reply = await this.#wire.complete(request, options);
    if (reply.usage !== null) {
      this.#onUsage(reply.usage);
    }
    return this.#keep(reply);
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    if (this.#turn !== null) {
      const answers = await this.#answer(this.#turn, { signal });
      this.#messages.push(this.#turn, ...answers);
    }
  }

  #keep({ text, calls, cutReason }: StreamedReply): ModelTurn {
    const { origin } = this.#wire;
    if (cutReason !== null && text === "" && calls.length === 0) {
      throw failureOf(origin, { kind: "empty", reason: cutReason });
    }
    const cut = cutReason === null ? {} : { cut: wordCut(origin, cutReason) };
    if (calls.length === 0) {
      this.#turn = null;
      this.#messages.push({ role: "assistant", content: text });
      return { text, calls: [], ...cut };
    }
    this.#turn = { role: "assistant", content: text === "" ? null : text, tool_calls: calls };
    const requested = calls.map(({ id, function: { name, arguments: args } }) => {
      return { callId: id, name, arguments: args };
    });
    return { text, calls: requested, ...cut };
  }
}

/** Returns tools without strict schemas, whose several types and other words a server may refuse. */
async function plainTools(client: ToolClient, { tools }: ChatTools): Promise<readonly object[]> {
  const offered = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
  return tools.map(({ type, function: { name } }) => {
    const { description, inputSchema } = offered.get(name) ?? {};
    const parameters: unknown = JSON.parse(JSON.stringify(inputSchema ?? {}), (key, value) =>
      key === "additionalProperties" || key === "default" ? undefined : value,
    );
    return { type, function: { name, description, parameters } };
  });
}
