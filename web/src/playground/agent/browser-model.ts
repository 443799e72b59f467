/** The browser's built-in model. */

import { type PromptApiToolCallContent, promptApiTools } from "../../adapters/prompt-api.ts";
import { isRecord } from "../../lib/checks.ts";
import type { AgentModel, ModelContext, ModelTurn, TurnOptions } from "./agent-model.ts";
import { type BrowserModelSession, findBrowserModel } from "./browser-model-api.ts";
import { ModelFailure, quoteDetail } from "./model-failure.ts";

type PromptTools = Awaited<ReturnType<typeof promptApiTools>>;

/** Returns the model; the browser downloads nothing before the first question. */
export async function createBrowserModel({
  client,
  systemPrompt,
  toolsetOptions,
}: ModelContext): Promise<AgentModel> {
  return new BrowserModel(await promptApiTools(client, toolsetOptions), systemPrompt);
}

class BrowserModel implements AgentModel {
  readonly #tools: PromptTools;
  readonly #systemPrompt: string;
  #session: BrowserModelSession | null = null;
  /** The parts of the next prompt: answers to calls, a question, or both. */
  #unsent: object[] = [];
  #asked: object | null = null;
  #calls: readonly PromptApiToolCallContent[] = [];

  constructor(tools: PromptTools, systemPrompt: string) {
    this.#tools = tools;
    this.#systemPrompt = systemPrompt;
  }

  ask(question: string): void {
    this.#asked = { type: "text", value: question };
    this.#unsent.push(this.#asked);
  }

  retract(): void {
    if (this.#asked !== null && this.#unsent.at(-1) === this.#asked) {
      this.#unsent.pop();
    }
  }

  close(): void {
    this.#session?.destroy?.();
    this.#session = null;
  }

  async takeTurn({ signal, onText }: TurnOptions): Promise<ModelTurn> {
    try {
      this.#session ??= await this.#open(signal);
      const input = [{ role: "user", content: this.#unsent }];
      const answer = await this.#session.prompt(input, { signal });
      this.#unsent = [];
      return this.#keep(answer, onText);
    } catch (error) {
      signal.throwIfAborted();
      const detail = error instanceof Error ? quoteDetail(error.message, []) : "";
      const why = detail === "" ? "" : `: ${detail}`;
      throw new ModelFailure(
        `The browser's model could not answer${why}. Ask again, clear the conversation, or choose another model.`,
      );
    }
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    this.#unsent = await this.#tools.answer(this.#calls, { signal });
  }

  async #open(signal: AbortSignal): Promise<BrowserModelSession> {
    const factory = findBrowserModel();
    if (factory === null) {
      throw new Error("this browser has no model");
    }
    const { tools, expectedInputs, expectedOutputs } = this.#tools;
    const initialPrompts = [{ role: "system", content: this.#systemPrompt }];
    return factory.create({ initialPrompts, tools, expectedInputs, expectedOutputs, signal });
  }

  #keep(answer: unknown, onText: (text: string) => void): ModelTurn {
    const parts: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    const text = parts.map(readText).join("");
    this.#calls = parts.filter(isCall);
    onText(text);
    const calls = this.#calls.map(({ value }) => ({
      callId: value.callID ?? value.callId ?? "",
      name: value.name,
      arguments: value.arguments,
    }));
    return { text, calls };
  }
}

function readText(part: unknown): string {
  if (typeof part === "string") {
    return part;
  }
  return isRecord(part) && part.type === "text" && typeof part.value === "string" ? part.value : "";
}

function isCall(part: unknown): part is PromptApiToolCallContent {
  return (
    isRecord(part) &&
    part.type === "tool-call" &&
    typeof part.value === "object" &&
    part.value !== null &&
    typeof Reflect.get(part.value, "name") === "string"
  );
}
