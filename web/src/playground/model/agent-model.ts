/** The interface of a model and its conversation, for all providers. */

import type { ToolsetOptions } from "../../adapters/toolset.ts";
import type { ToolClient } from "../../adapters/toolset-types.ts";

/** The tools and the prompt of a model. */
export interface ModelContext {
  readonly client: ToolClient;
  readonly systemPrompt: string;
  readonly toolsetOptions: ToolsetOptions;
}

/** A tool call that a model requested. */
export interface RequestedCall {
  /** The model's id of the call; null if the provider gives none. */
  readonly callId: string | null;
  readonly name: string;
  /** An object, or JSON text, as the model sent it. */
  readonly arguments: unknown;
}

/** One whole turn of a model. */
export interface ModelTurn {
  readonly text: string;
  /** Empty if the turn is the answer. */
  readonly calls: readonly RequestedCall[];
  /** Says why the turn is incomplete; absent if it is complete. */
  readonly cut?: string;
}

/** The signal of a turn, and its callbacks. */
export interface TurnOptions {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** Called with a sentence when the page requests the same turn again. */
  readonly onRetry: (sentence: string) => void;
}

/**
 * A model and its conversation.
 *
 * A method that rejects leaves the conversation unchanged, so that another question can follow.
 */
export interface AgentModel {
  /** Adds a question for the next turn. */
  ask(question: string): void;
  /** Removes the last question, unless a later turn was kept. */
  retract(): void;
  /** Rejects with the signal's reason, or with a `ModelFailure`, also if the turn is empty. */
  takeTurn(options: TurnOptions): Promise<ModelTurn>;
  /** Runs the calls of the last turn and adds their answers; rejects with the signal's reason. */
  answerCalls(signal: AbortSignal): Promise<void>;
}
