/** A model behind Gemini's generateContent API. */

import { type Content, GoogleGenAI, type Part } from "@google/genai";
import { geminiTools } from "../../adapters/gemini.ts";
import type {
  AgentModel,
  ModelContext,
  ModelSettings,
  ModelTurn,
  TurnOptions,
} from "./agent-model.ts";
import { EndpointFetch } from "./endpoint-fetch.ts";
import { failureOf, wordCut } from "./model-failure.ts";

type FunctionTools = Awaited<ReturnType<typeof geminiTools>>;

/** Returns the model behind an endpoint. */
export async function createGeminiModel(
  settings: ModelSettings,
  { client, systemPrompt, toolsetOptions }: ModelContext,
): Promise<AgentModel> {
  const tools = await geminiTools(client, toolsetOptions);
  return new GeminiModel(settings, tools, systemPrompt);
}

function connect(settings: ModelSettings) {
  const wire = new EndpointFetch(settings);
  const library = new GoogleGenAI({
    apiKey: settings.key,
    httpOptions: {
      baseUrl: settings.address,
      fetch: wire.fetch,
      retryOptions: { attempts: 2, initialDelay: 0.5 },
    },
  });
  return { library, wire };
}

const WHOLE_REASON = "STOP";

class GeminiModel implements AgentModel {
  #library: GoogleGenAI;
  #wire: EndpointFetch;
  readonly #settings: ModelSettings;
  readonly #tools: FunctionTools;
  readonly #systemPrompt: string;
  readonly #contents: Content[] = [];
  #turn: Content | null = null;
  #asked: Part | null = null;

  constructor(settings: ModelSettings, tools: FunctionTools, systemPrompt: string) {
    ({ library: this.#library, wire: this.#wire } = connect(settings));
    this.#settings = settings;
    this.#tools = tools;
    this.#systemPrompt = systemPrompt;
  }

  ask(question: string): void {
    const last = this.#contents.at(-1);
    const part = { text: question };
    this.#asked = part;
    if (last?.role === "user") {
      last.parts = [...(last.parts ?? []), part];
    } else {
      this.#contents.push({ role: "user", parts: [part] });
    }
  }

  retract(): void {
    const last = this.#contents.at(-1);
    if (last?.parts !== undefined && last.parts.at(-1) === this.#asked) {
      last.parts = last.parts.slice(0, -1);
      if (last.parts.length === 0) {
        this.#contents.pop();
      }
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
      if (reply.endReason === null) {
        throw this.#wire.wordBrokenAnswer();
      }
      return this.#keep(reply.parts, reply.endReason);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#wire.wordFailure(error);
    }
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    if (this.#turn !== null) {
      const answers = await this.#tools.answer(this.#turn, { signal });
      this.#contents.push(this.#turn, { role: "user", parts: [...answers] });
    }
  }

  async #stream({ signal, onText }: TurnOptions) {
    const stream = await this.#library.models.generateContentStream({
      model: this.#settings.model,
      contents: this.#contents,
      config: {
        systemInstruction: this.#systemPrompt,
        tools: [...this.#tools.tools],
        abortSignal: signal,
      },
    });
    const parts: Part[] = [];
    let endReason: string | null = null;
    for await (const { candidates, promptFeedback } of stream) {
      const [candidate] = candidates ?? [];
      for (const part of candidate?.content?.parts ?? []) {
        // Send every part back unchanged: some have a signature that the API requires later.
        parts.push(part);
        if (isSpoken(part)) {
          onText(part.text ?? "");
        }
      }
      endReason = candidate?.finishReason ?? promptFeedback?.blockReason ?? endReason;
    }
    return { parts, endReason };
  }

  #keep(parts: Part[], endReason: string): ModelTurn {
    const text = parts.map((part) => (isSpoken(part) ? part.text : "")).join("");
    const calls = parts.flatMap(({ functionCall }) =>
      functionCall === undefined
        ? []
        : [
            {
              callId: functionCall.id ?? null,
              name: functionCall.name ?? "",
              arguments: functionCall.args ?? {},
            },
          ],
    );
    const { origin } = this.#wire;
    const isWhole = endReason === WHOLE_REASON;
    if (!isWhole && text === "" && calls.length === 0) {
      throw failureOf(origin, { kind: "empty", reason: endReason });
    }
    const content = { role: "model", parts };
    this.#turn = calls.length > 0 ? content : null;
    if (calls.length === 0 && parts.length > 0) {
      this.#contents.push(content);
    }
    return { text, calls, ...(isWhole ? {} : { cut: wordCut(origin, endReason) }) };
  }
}

function isSpoken({ text, thought }: Part): boolean {
  return text !== undefined && thought !== true;
}
