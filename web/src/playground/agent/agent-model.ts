/** A model and its conversation, whatever provider it comes from. */
import type { ToolClient } from "../../adapters/tool-client.ts";
import type { ToolsetOptions } from "../../adapters/toolset.ts";

/** The settings that a person fills in. */
export interface ModelSettings {
  /** The endpoint's address; empty for what runs in the page. */
  readonly address: string;
  /** The model's name at the endpoint; empty for what runs in the page. */
  readonly model: string;
  /** Empty where the endpoint wants none. */
  readonly key: string;
  /** How long the endpoint may take to its first byte. @default 300 s */
  readonly firstByteMs?: number;
  /** How long it may send nothing after that. @default 60 s */
  readonly silenceMs?: number;
}

/** The tools and the prompt of a model. */
export interface ModelContext {
  readonly client: ToolClient;
  readonly systemPrompt: string;
  readonly toolsetOptions: ToolsetOptions;
}

/** A tool call that a model has asked for. */
export interface RequestedCall {
  /** The model's id of the call; null where its provider has none. */
  readonly callId: string | null;
  readonly name: string;
  /** As the model sent them: an object, or JSON text. */
  readonly arguments: unknown;
}

/** One whole turn of a model. */
export interface ModelTurn {
  readonly text: string;
  /** Empty where the model has answered. */
  readonly calls: readonly RequestedCall[];
  /** Says why the turn is not whole; absent where it is. */
  readonly cut?: string;
}

/** Who is told what while a turn comes in. */
export interface TurnOptions {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** Told in a sentence when the same turn is asked for once more. */
  readonly onRetry: (sentence: string) => void;
}

/**
 * A model and its conversation.
 *
 * Whatever rejects leaves the conversation as it was before, so that another question can follow.
 */
export interface AgentModel {
  /** Adds a question, which the next turn answers. */
  ask(question: string): void;
  /** Takes the last question back, where no turn that followed it was kept. */
  retract(): void;
  /** Rejects with a `ModelFailure`, also where the turn is empty, or with the signal's reason. */
  takeTurn(options: TurnOptions): Promise<ModelTurn>;
  /** Runs the calls of the turn before and adds their answers; rejects with the signal's reason. */
  answerCalls(signal: AbortSignal): Promise<void>;
  /** Asks with another key from now on; absent where there is none. */
  useKey?(key: string): void;
  /** Gives back what the model holds outside the page's memory; absent where that is nothing. */
  close?(): void;
}
