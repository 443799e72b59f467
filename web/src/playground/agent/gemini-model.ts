/** A model behind Gemini's generateContent. */

import { type Content, GoogleGenAI, type Part } from "@google/genai";
import { geminiTools } from "../../adapters/gemini.ts";
import type { AgentModel, ModelTurn, TurnOptions } from "./agent-model.ts";
import { EndpointFetch } from "./endpoint-fetch.ts";
import type { ModelContext, ModelSettings } from "./providers.ts";

type FunctionTools = Awaited<ReturnType<typeof geminiTools>>;

/** Returns the model behind an endpoint. */
export async function createGeminiModel(
  settings: ModelSettings,
  { client, systemPrompt, toolsetOptions }: ModelContext,
): Promise<AgentModel> {
  const wire = new EndpointFetch(settings);
  const library = new GoogleGenAI({
    apiKey: settings.key,
    httpOptions: {
      baseUrl: settings.address,
      fetch: wire.fetch,
      retryOptions: { attempts: 2, initialDelay: 0.5 },
    },
  });
  const tools = await geminiTools(client, toolsetOptions);
  return new GeminiModel(library, wire, tools, settings.model, systemPrompt);
}

class GeminiModel implements AgentModel {
  readonly #library: GoogleGenAI;
  readonly #wire: EndpointFetch;
  readonly #tools: FunctionTools;
  readonly #model: string;
  readonly #systemPrompt: string;
  readonly #contents: Content[] = [];
  #turn: Content | null = null;

  constructor(
    library: GoogleGenAI,
    wire: EndpointFetch,
    tools: FunctionTools,
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
    const last = this.#contents.at(-1);
    if (last?.role === "user") {
      last.parts = [...(last.parts ?? []), { text: question }];
    } else {
      this.#contents.push({ role: "user", parts: [{ text: question }] });
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
      return this.#keep(reply.parts);
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
      model: this.#model,
      contents: this.#contents,
      config: {
        systemInstruction: this.#systemPrompt,
        tools: [...this.#tools.tools],
        abortSignal: signal,
      },
    });
    const parts: Part[] = [];
    let isEnded = false;
    for await (const { candidates } of stream) {
      const [candidate] = candidates ?? [];
      for (const part of candidate?.content?.parts ?? []) {
        // Every part goes back as it came: some carry a signature that the model wants to see again.
        parts.push(part);
        if (isSpoken(part)) {
          onText(part.text ?? "");
        }
      }
      isEnded ||= Boolean(candidate?.finishReason);
    }
    return { parts, isEnded };
  }

  #keep(parts: Part[]): ModelTurn {
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
    const content = { role: "model", parts };
    this.#turn = calls.length > 0 ? content : null;
    if (calls.length === 0 && parts.length > 0) {
      this.#contents.push(content);
    }
    return { text, calls };
  }
}

function isSpoken({ text, thought }: Part): boolean {
  return text !== undefined && thought !== true;
}
