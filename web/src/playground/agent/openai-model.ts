/** A model behind OpenAI's Chat Completions API, which most local and hosted servers speak. */

import OpenAI from "openai";
import { openAiChatTools } from "../../adapters/openai.ts";
import type {
  AgentModel,
  ModelContext,
  ModelSettings,
  ModelTurn,
  TurnOptions,
} from "./agent-model.ts";
import { EndpointFetch } from "./endpoint-fetch.ts";
import { failureOf, wordCut } from "./model-failure.ts";

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
  const tools = await openAiChatTools(client, toolsetOptions);
  return new OpenAiModel(settings, tools, systemPrompt);
}

function connect(settings: ModelSettings) {
  const wire = new EndpointFetch(settings);
  const library = new OpenAI({
    apiKey: settings.key || "none",
    baseURL: settings.address,
    dangerouslyAllowBrowser: true,
    // Local servers need no key, and some refuse a request that has one.
    ...(settings.key === "" ? { defaultHeaders: { Authorization: null } } : {}),
    maxRetries: 1,
    logLevel: "off",
    fetch: wire.fetch,
  });
  return { library, wire };
}

class OpenAiModel implements AgentModel {
  #library: OpenAI;
  #wire: EndpointFetch;
  readonly #settings: ModelSettings;
  readonly #tools: ChatTools;
  readonly #messages: Message[];
  #turn: AssistantMessage | null = null;

  constructor(settings: ModelSettings, tools: ChatTools, systemPrompt: string) {
    ({ library: this.#library, wire: this.#wire } = connect(settings));
    this.#settings = settings;
    this.#tools = tools;
    this.#messages = [{ role: "system", content: systemPrompt }];
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
    ({ library: this.#library, wire: this.#wire } = connect({ ...this.#settings, key }));
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
      return this.#keep(reply.text, reply.calls, reply.cutReason);
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
    const request = {
      model: this.#settings.model,
      messages: this.#messages,
      stream: true as const,
    };
    const stream = await this.#library.chat.completions.create(
      { ...request, tools: [...this.#tools.tools] },
      { signal },
    );
    const calls = new StreamedCalls();
    let text = "";
    let isEnded = false;
    let cutReason: string | null = null;
    for await (const { choices } of stream) {
      const [choice] = choices;
      const delta = choice?.delta?.content ?? choice?.delta?.refusal ?? "";
      if (delta !== "") {
        text += delta;
        onText(delta);
      }
      calls.add(choice?.delta?.tool_calls ?? []);
      const reason = choice?.finish_reason ?? "";
      isEnded ||= reason !== "";
      cutReason ??= CUT_REASONS.includes(reason) ? reason : null;
    }
    return { text, calls: calls.made, isEnded, cutReason };
  }

  #keep(text: string, calls: readonly ToolCall[], cutReason: string | null): ModelTurn {
    const { origin } = this.#wire;
    if (cutReason !== null && text === "" && calls.length === 0) {
      throw failureOf(origin, { kind: "empty", reason: cutReason });
    }
    const cut = cutReason === null ? {} : { cut: wordCut(origin, cutReason) };
    const message: AssistantMessage = { role: "assistant", content: text };
    if (calls.length === 0) {
      this.#turn = null;
      this.#messages.push(message);
      return { text, calls: [], ...cut };
    }
    this.#turn = { ...message, content: text === "" ? null : text, tool_calls: [...calls] };
    return {
      text,
      calls: calls.map(({ id, function: { name, arguments: args } }) => {
        return { callId: id, name, arguments: args };
      }),
      ...cut,
    };
  }
}

/** Lists the cuts and not the ordinary ends, since servers have many words for an ordinary end. */
const CUT_REASONS: readonly string[] = ["length", "content_filter"];

/** Joins the parts of calls; the library's own joining throws if a model breaks strict arguments. */
class StreamedCalls {
  readonly made: ToolCall[] = [];
  /** The latest call per index; some servers give every call the index 0, and some begin at 1. */
  readonly #current = new Map<number, ToolCall>();

  add(deltas: NonNullable<Delta["tool_calls"]>): void {
    for (const { index, id, function: part } of deltas) {
      const current = this.#current.get(index);
      const isNext = Boolean(id && part?.name) && current?.id !== id;
      const call = current === undefined || isNext ? this.#begin(index, id) : current;
      call.function.name ||= part?.name ?? "";
      call.function.arguments += part?.arguments ?? "";
    }
  }

  #begin(index: number, id = `call-${this.made.length}`): ToolCall {
    const call: ToolCall = { id, type: "function", function: { name: "", arguments: "" } };
    this.#current.set(index, call);
    this.made.push(call);
    return call;
  }
}
