/** One question's way: turns of the model and calls of the tools, until it answers or is stopped. */

import type { AgentModel, ModelTurn, RequestedCall } from "./agent-model.ts";
import { ModelFailure } from "./model-failure.ts";

/** A model that asks for calls forever must not run up a bill. */
export const MAX_TURNS = 24;

/** How a question's way ended. */
export type RunEnd =
  | { readonly kind: "answered" }
  | { readonly kind: "cut"; readonly sentence: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "max-turns"; readonly maxTurns: number }
  | { readonly kind: "failed"; readonly sentence: string };

/** Who is told what happens, in this order for each turn. */
export interface RunListener {
  onTurnBegun(): void;
  onText(delta: string): void;
  onRetry(sentence: string): void;
  /** A turn that was stopped or failed has the text that had come, and no calls; nor is it whole. */
  onTurnEnded(turn: ModelTurn & { readonly isWhole: boolean; readonly elapsedMs: number }): void;
  onCallsEnded(calls: readonly RequestedCall[]): void;
}

/** How far one question may go. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** @default MAX_TURNS */
  readonly maxTurns?: number;
}

/**
 * Takes turns until the model answers without calls; never rejects for what a model or a provider does.
 *
 * Stopping ends the turn or the calls that are under way, whichever it is. A question of which nothing
 * was kept when it was stopped or failed is taken back, so that it can be asked again.
 */
export async function runAgent(
  model: AgentModel,
  listener: RunListener,
  { signal, maxTurns = MAX_TURNS }: RunOptions,
): Promise<RunEnd> {
  try {
    for (let turns = 0; turns < maxTurns; turns += 1) {
      signal.throwIfAborted();
      const { calls, cut } = await takeTurn(model, listener, signal);
      if (calls.length === 0) {
        return cut === undefined ? { kind: "answered" } : { kind: "cut", sentence: cut };
      }
      try {
        await model.answerCalls(signal);
      } finally {
        listener.onCallsEnded(calls);
      }
    }
    return { kind: "max-turns", maxTurns };
  } catch (error) {
    model.retract();
    if (signal.aborted) {
      return { kind: "stopped" };
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
  listener.onTurnBegun();
  const end = (turn: ModelTurn, isWhole: boolean) =>
    listener.onTurnEnded({ ...turn, isWhole, elapsedMs: performance.now() - startedMs });
  const onText = (delta: string) => {
    // A provider's stream may still deliver what it had when it was stopped.
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
