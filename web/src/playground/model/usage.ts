/** The tokens of a conversation as the server counted them, in words. */

import type { Usage } from "./streamed-reply.ts";

export interface UsageTotals extends Usage {
  /** The tokens of the model's context that the last request and its answer took. */
  readonly contextTokens: number;
}

/** The prices that the visitor typed, in dollars per million tokens; null without any. */
export interface Prices {
  readonly sent: number | null;
  readonly received: number | null;
}

export const NO_USAGE: UsageTotals = { contextTokens: 0, sentTokens: 0, receivedTokens: 0 };

export function addUsage(totals: UsageTotals, usage: Usage): UsageTotals {
  return {
    contextTokens: usage.sentTokens + usage.receivedTokens,
    sentTokens: totals.sentTokens + usage.sentTokens,
    receivedTokens: totals.receivedTokens + usage.receivedTokens,
  };
}

/** Returns the line under a conversation, such as `context 12.4k tokens · sent in total 31k`. */
export function wordUsage(totals: UsageTotals, prices: Prices): string {
  if (totals.contextTokens === 0) {
    return "The server has counted no tokens yet.";
  }
  return [
    `context ${formatTokens(totals.contextTokens)} tokens`,
    `sent in total ${formatTokens(totals.sentTokens)}`,
    `received ${formatTokens(totals.receivedTokens)}`,
    ...wordCost(totals, prices),
  ].join(" · ");
}

function wordCost(totals: Usage, { sent, received }: Prices): readonly string[] {
  if (sent === null && received === null) {
    return [];
  }
  const dollars =
    (totals.sentTokens * (sent ?? 0) + totals.receivedTokens * (received ?? 0)) / 1_000_000;
  return [dollars < 0.01 ? "less than $0.01" : `about $${dollars.toFixed(2)}`];
}

export function formatTokens(tokens: number): string {
  if (tokens < 1000) {
    return String(tokens);
  }
  const [value, unit] = tokens < 999_500 ? [tokens / 1000, "k"] : [tokens / 1_000_000, "M"];
  return `${value.toFixed(1).replace(/\.0$/, "")}${unit}`;
}
