/** A model behind OpenAI's Chat Completions, which most local and hosted servers speak. */

import OpenAI from "openai";
import { openAiChatTools } from "../../adapters/openai.ts";
import type { AgentModel, ModelTurn, TurnOptions } from "./agent-model.ts";
import { EndpointFetch } from "./endpoint-fetch.ts";
import type { ModelContext, ModelSettings } from "./providers.ts";

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type AssistantMessage = OpenAI.Chat.Completions.ChatCompletionAssistantMessageParam;
type ToolCall = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;
type Delta = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta;
type ChatTools = Awaited<ReturnType<typeof openAiChatTools>>;

/** Returns the model behind an endpoint. */
export async function createOpenAiModel(
  settings: ModelSettings,
  { client, systemPrompt, toolsetOptions }: ModelContext,
): Promise<AgentModel> {
  const wire = new EndpointFetch(settings);
  const library = new OpenAI({
    apiKey: settings.key || "none",
    baseURL: settings.address,
    dangerouslyAllowBrowser: true,
    // A local server wants no key, and some refuse one.
    ...(settings.key === "" ? { defaultHeaders: { Authorization: null } } : {}),
    maxRetries: 1,
    logLevel: "off",
    fetch: wire.fetch,
  });
  const tools = await openAiChatTools(client, toolsetOptions);
  return new OpenAiModel(library, wire, tools, settings.model, systemPrompt);
}

class OpenAiModel implements AgentModel {
  readonly #library: OpenAI;
  readonly #wire: EndpointFetch;
  readonly #tools: ChatTools;
  readonly #model: string;
  readonly #messages: Message[];
  #turn: AssistantMessage | null = null;

  constructor(
    library: OpenAI,
    wire: EndpointFetch,
    tools: ChatTools,
    model: string,
    systemPrompt: string,
  ) {
    this.#library = library;
    this.#wire = wire;
    this.#tools = tools;
    this.#model = model;
    this.#messages = [{ role: "system", content: systemPrompt }];
  }

  ask(question: string): void {
    const last = this.#messages.at(-1);
    if (last?.role === "user" && typeof last.content === "string") {
      // A question that was never answered: two in a row are refused by some.
      last.content += `\n\n${question}`;
    } else {
      this.#messages.push({ role: "user", content: question });
    }
  }

  async takeTurn(options: TurnOptions): Promise<ModelTurn> {
    const { signal, onRetry } = options;
    this.#wire.begin(onRetry);
    try {
      const reply = await this.#stream(options);
      signal.throwIfAborted();
      if (!reply.isEnded) {
        throw this.#wire.wordBrokenAnswer();
      }
      return this.#keep(reply.text, reply.calls);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#wire.wordFailure(error);
    }
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    if (this.#turn !== null) {
      const answers = await this.#tools.answer(this.#turn, { signal });
      this.#messages.push(this.#turn, ...answers);
    }
  }

  async #stream({ signal, onText }: TurnOptions) {
    const request = { model: this.#model, messages: this.#messages, stream: true as const };
    const stream = await this.#library.chat.completions.create(
      { ...request, tools: [...this.#tools.tools] },
      { signal },
    );
    const calls: ToolCall[] = [];
    let text = "";
    let isEnded = false;
    for await (const { choices } of stream) {
      const [choice] = choices;
      const delta = choice?.delta?.content ?? choice?.delta?.refusal ?? "";
      if (delta !== "") {
        text += delta;
        onText(delta);
      }
      addCalls(calls, choice?.delta?.tool_calls ?? []);
      isEnded ||= Boolean(choice?.finish_reason);
    }
    return { text, calls: calls.filter((call) => call !== undefined), isEnded };
  }

  #keep(text: string, calls: ToolCall[]): ModelTurn {
    const message: AssistantMessage = { role: "assistant", content: text };
    if (calls.length === 0) {
      this.#turn = null;
      this.#messages.push(message);
      return { text, calls: [] };
    }
    this.#turn = { ...message, content: text === "" ? null : text, tool_calls: calls };
    return {
      text,
      calls: calls.map(({ id, function: { name, arguments: args } }) => {
        return { callId: id, name, arguments: args };
      }),
    };
  }
}

/** The library's own putting together parses strict arguments, and throws where a model broke them. */
function addCalls(calls: ToolCall[], deltas: NonNullable<Delta["tool_calls"]>): void {
  for (const { index, id, function: part } of deltas) {
    let call = calls[index];
    // Some servers give every call the index 0.
    if (call !== undefined && id && call.id !== id && part?.name) {
      call = undefined;
    } else if (call === undefined && calls.length > index) {
      call = calls.at(-1);
    }
    if (call === undefined) {
      const made = { name: part?.name ?? "", arguments: part?.arguments ?? "" };
      calls.push({ id: id ?? `call-${calls.length}`, type: "function", function: made });
    } else {
      call.function.name ||= part?.name ?? "";
      call.function.arguments += part?.arguments ?? "";
    }
  }
}
