/** A model behind Anthropic's Messages. */

import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "../../adapters/anthropic.ts";
import type { AgentModel, ModelTurn, TurnOptions } from "./agent-model.ts";
import { EndpointFetch } from "./endpoint-fetch.ts";
import type { ModelContext, ModelSettings } from "./providers.ts";

type MessageTools = Awaited<ReturnType<typeof anthropicTools>>;

/** More than any answer about a tree needs; the protocol wants a number. */
const MAX_ANSWER_TOKENS = 8192;

/** Returns the model behind an endpoint. */
export async function createAnthropicModel(
  settings: ModelSettings,
  { client, systemPrompt, toolsetOptions }: ModelContext,
): Promise<AgentModel> {
  const wire = new EndpointFetch(settings);
  const library = new Anthropic({
    apiKey: settings.key,
    baseURL: settings.address,
    dangerouslyAllowBrowser: true,
    maxRetries: 1,
    logLevel: "off",
    fetch: wire.fetch,
  });
  const tools = await anthropicTools(client, toolsetOptions);
  return new AnthropicModel(library, wire, tools, settings.model, systemPrompt);
}

class AnthropicModel implements AgentModel {
  readonly #library: Anthropic;
  readonly #wire: EndpointFetch;
  readonly #tools: MessageTools;
  readonly #model: string;
  readonly #systemPrompt: string;
  readonly #messages: Anthropic.MessageParam[] = [];
  #turn: Anthropic.Message | null = null;

  constructor(
    library: Anthropic,
    wire: EndpointFetch,
    tools: MessageTools,
    model: string,
    systemPrompt: string,
  ) {
    this.#library = library;
    this.#wire = wire;
    this.#tools = tools;
    this.#model = model;
    this.#systemPrompt = systemPrompt;
  }

  ask(question: string): void {
    const block = { type: "text" as const, text: question };
    const last = this.#messages.at(-1);
    if (last?.role === "user" && Array.isArray(last.content)) {
      last.content.push(block);
    } else {
      this.#messages.push({ role: "user", content: [block] });
    }
  }

  async takeTurn({ signal, onText, onRetry }: TurnOptions): Promise<ModelTurn> {
    this.#wire.begin(onRetry);
    let isBegun = false;
    try {
      const stream = this.#library.messages.stream(
        {
          model: this.#model,
          max_tokens: MAX_ANSWER_TOKENS,
          system: this.#systemPrompt,
          messages: this.#messages,
          tools: [...this.#tools.tools],
        },
        { signal },
      );
      stream.on("streamEvent", () => {
        isBegun = true;
      });
      stream.on("text", onText);
      return this.#keep(await stream.finalMessage());
    } catch (error) {
      signal.throwIfAborted();
      const isBroken = isBegun && !(error instanceof Anthropic.APIError);
      throw isBroken ? this.#wire.wordBrokenAnswer() : this.#wire.wordFailure(error);
    }
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    if (this.#turn !== null) {
      const answers = await this.#tools.answer(this.#turn, { signal });
      this.#messages.push(
        { role: "assistant", content: this.#turn.content },
        { role: "user", content: [...answers] },
      );
    }
  }

  #keep(message: Anthropic.Message): ModelTurn {
    if (message.stop_reason === null) {
      throw this.#wire.wordBrokenAnswer();
    }
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const calls = message.content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ callId: block.id, name: block.name, arguments: block.input }]
        : [],
    );
    this.#turn = calls.length > 0 ? message : null;
    // An empty message is refused when it is sent again.
    if (calls.length === 0 && message.content.length > 0) {
      this.#messages.push({ role: "assistant", content: message.content });
    }
    return { text, calls };
  }
}
