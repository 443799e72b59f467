/** The sums over a transcript: turns, calls, bytes, tokens, time. */

import { formatCount, formatMs } from "../../page-parts/format-quantities.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { TranscriptEntry } from "./transcript.ts";

const NAMES = ["Turns", "Calls", "Errors", "Size", "Est. tokens", "Time"] as const;
type Name = (typeof NAMES)[number];

/** A line of figures. */
export class Totals {
  readonly element: HTMLElement;
  readonly #values = new Map<Name, HTMLElement>();

  constructor() {
    const pairs = NAMES.map((name) => {
      const value = makeElement("dd", { class: "figure" });
      this.#values.set(name, value);
      return makeElement("div", {}, makeElement("dt", {}, name), value);
    });
    this.element = makeElement("dl", { class: "agent-totals" }, ...pairs);
    this.show([]);
  }

  show(entries: readonly TranscriptEntry[]): void {
    const sums = { turns: 0, calls: 0, errors: 0, sizeBytes: 0, tokens: 0, elapsedMs: 0 };
    let slowestCallMs = 0;
    for (const entry of entries) {
      if (entry.type === "call") {
        sums.calls += 1;
        sums.errors += entry.isError && entry.outcome !== "aborted" ? 1 : 0;
        sums.sizeBytes += entry.sizeBytes;
        sums.tokens += entry.estimatedTokens;
        slowestCallMs = Math.max(slowestCallMs, entry.elapsedMs);
      } else if (entry.type === "turn") {
        sums.turns += 1;
        // The calls of one turn run concurrently, so the longest counts.
        sums.elapsedMs += slowestCallMs + entry.elapsedMs;
        slowestCallMs = 0;
      }
    }
    sums.elapsedMs += slowestCallMs;
    const figures: Readonly<Record<Name, string>> = {
      Turns: formatCount(sums.turns),
      Calls: formatCount(sums.calls),
      Errors: formatCount(sums.errors),
      Size: `${formatCount(sums.sizeBytes)} B`,
      "Est. tokens": formatCount(sums.tokens),
      Time: formatMs(sums.elapsedMs),
    };
    for (const [name, element] of this.#values) {
      element.textContent = figures[name];
    }
  }
}
