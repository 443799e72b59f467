/** A model behind Anthropic's Messages API. */

import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "../../adapters/anthropic.ts";
import type {
  AgentModel,
  ModelContext,
  ModelSettings,
  ModelTurn,
  TurnOptions,
} from "./agent-model.ts";
import { EndpointFetch } from "./endpoint-fetch.ts";
import { failureOf, ModelFailure, wordCut } from "./model-failure.ts";

type MessageTools = Awaited<ReturnType<typeof anthropicTools>>;

/** The API requires a limit; this one is higher than any answer about a tree needs. */
const MAX_ANSWER_TOKENS = 8192;

const WHOLE_REASONS: readonly string[] = ["end_turn", "stop_sequence", "tool_use"];

/** Returns the model behind an endpoint. */
export async function createAnthropicModel(
  settings: ModelSettings,
  { client, systemPrompt, toolsetOptions }: ModelContext,
): Promise<AgentModel> {
  const tools = await anthropicTools(client, toolsetOptions);
  return new AnthropicModel(settings, tools, systemPrompt);
}

function connect(settings: ModelSettings) {
  const wire = new EndpointFetch(settings);
  const library = new Anthropic({
    apiKey: settings.key,
    baseURL: settings.address,
    dangerouslyAllowBrowser: true,
    maxRetries: 1,
    logLevel: "off",
    fetch: wire.fetch,
  });
  return { library, wire };
}

class AnthropicModel implements AgentModel {
  #library: Anthropic;
  #wire: EndpointFetch;
  readonly #settings: ModelSettings;
  readonly #tools: MessageTools;
  readonly #systemPrompt: string;
  readonly #messages: Anthropic.MessageParam[] = [];
  #turn: Anthropic.Message | null = null;
  #asked: Anthropic.TextBlockParam | null = null;

  constructor(settings: ModelSettings, tools: MessageTools, systemPrompt: string) {
    ({ library: this.#library, wire: this.#wire } = connect(settings));
    this.#settings = settings;
    this.#tools = tools;
    this.#systemPrompt = systemPrompt;
  }

  ask(question: string): void {
    const block = { type: "text" as const, text: question };
    const last = this.#messages.at(-1);
    this.#asked = block;
    if (last?.role === "user" && Array.isArray(last.content)) {
      last.content.push(block);
    } else {
      this.#messages.push({ role: "user", content: [block] });
    }
  }

  retract(): void {
    const content = this.#messages.at(-1)?.content;
    if (Array.isArray(content) && content.at(-1) === this.#asked) {
      content.pop();
      if (content.length === 0) {
        this.#messages.pop();
      }
    }
  }

  useKey(key: string): void {
    ({ library: this.#library, wire: this.#wire } = connect({ ...this.#settings, key }));
  }

  async takeTurn({ signal, onText, onRetry }: TurnOptions): Promise<ModelTurn> {
    this.#wire.begin(onRetry);
    let isBegun = false;
    try {
      const stream = this.#library.messages.stream(
        {
          model: this.#settings.model,
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
      const isKnown = error instanceof Anthropic.APIError || error instanceof ModelFailure;
      const isBroken = isBegun && !isKnown;
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
    const { origin } = this.#wire;
    const isWhole = WHOLE_REASONS.includes(message.stop_reason);
    if (!isWhole && text === "" && calls.length === 0) {
      throw failureOf(origin, { kind: "empty", reason: message.stop_reason });
    }
    this.#turn = calls.length > 0 ? message : null;
    // The API refuses an empty message in a later request.
    if (calls.length === 0 && message.content.length > 0) {
      this.#messages.push({ role: "assistant", content: message.content });
    }
    return { text, calls, ...(isWhole ? {} : { cut: wordCut(origin, message.stop_reason) }) };
  }
}
