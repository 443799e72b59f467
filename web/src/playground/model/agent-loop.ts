/** Runs one question: alternates the model's turns and the tool calls until an answer or a stop. */

import type { TurnOptions } from "./chat-wire.ts";
import { ModelFailure } from "./model-failure.ts";

/** A limit on turns, so that a model that never stops calling tools runs up no bill. */
export const MAX_TURNS = 24;

export interface ModelTurn {
  readonly text: string;
  /** The tool calls that the model requests; empty if the turn is the answer. */
  readonly calls: readonly unknown[];
  /** Says why the turn is incomplete; absent if it is complete. */
  readonly cut?: string;
}

/**
 * A model and its conversation.
 *
 * A method that rejects leaves the conversation unchanged, so that another question can follow.
 */
export interface AgentModel {
  /** Removes the last question, unless a later turn was kept. */
  retract(): void;
  /** Rejects with the signal's reason, or with a `ModelFailure`, also if the turn is empty. */
  takeTurn(options: TurnOptions): Promise<ModelTurn>;
  /** Runs the calls of the last turn and adds their answers; rejects with the signal's reason. */
  answerCalls(signal: AbortSignal): Promise<void>;
}

/** The end of a run; the sentence, which tells the visitor of it, is "" for a whole answer. */
export interface RunEnd {
  readonly kind: "answered" | "cut" | "stopped" | "max-turns" | "failed";
  readonly sentence: string;
}

export const STOPPED: RunEnd = {
  kind: "stopped",
  sentence: "Stopped. A new question goes on from here.",
};

/** Listens to a run; the methods are called in this order for each turn. */
export interface RunListener {
  onText(delta: string): void;
  onRetry(sentence: string): void;
  /** A turn that was stopped or failed has the text received so far, no calls, and `isWhole` false. */
  onTurnEnded(turn: ModelTurn & { readonly isWhole: boolean; readonly elapsedMs: number }): void;
}

/**
 * Takes turns until the model answers without calls; never rejects for a fault of model or provider.
 *
 * An abort ends the running turn or the running calls. If a question fails or is stopped before any
 * turn is kept, the model forgets it, so that it can be asked again.
 */
export async function runAgent(
  model: AgentModel,
  listener: RunListener,
  signal: AbortSignal,
  maxTurns = MAX_TURNS,
): Promise<RunEnd> {
  try {
    for (let turns = 0; turns < maxTurns; turns += 1) {
      signal.throwIfAborted();
      const { calls, cut } = await takeTurn(model, listener, signal);
      if (calls.length === 0) {
        return { kind: cut === undefined ? "answered" : "cut", sentence: cut ?? "" };
      }
      await model.answerCalls(signal);
    }
    return {
      kind: "max-turns",
      sentence: `The model was stopped after ${maxTurns} turns. Tell it to go on, or ask for less.`,
    };
  } catch (error) {
    model.retract();
    if (signal.aborted) {
      return STOPPED;
    }
    if (error instanceof ModelFailure) {
      return { kind: "failed", sentence: error.message };
    }
    throw error;
  }
}

async function takeTurn(
  model: AgentModel,
  listener: RunListener,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const startedMs = performance.now();
  let text = "";
  const end = (turn: ModelTurn, isWhole: boolean) =>
    listener.onTurnEnded({ ...turn, isWhole, elapsedMs: performance.now() - startedMs });
  const onText = (delta: string) => {
    // After an abort, a provider's stream may still deliver text that it had buffered.
    if (!signal.aborted) {
      text += delta;
      listener.onText(delta);
    }
  };
  try {
    const turn = await model.takeTurn({ signal, onText, onRetry: listener.onRetry });
    signal.throwIfAborted();
    end(turn, turn.cut === undefined);
    return turn;
  } catch (error) {
    end({ text, calls: [] }, false);
    throw error;
  }
}
