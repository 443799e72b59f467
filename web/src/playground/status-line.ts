/** The status line: the announced phase of the work, its progress, and a running clock. */

import { formatMs } from "../page-parts/format-quantities.ts";
import { findElement } from "../page-parts/make-element.ts";
import type { ProgressWords } from "../page-parts/progress-words.ts";

export type StatusKind = "working" | "ready" | "failed";

const TICK_MS = 100;

/**
 * Writes the status line.
 *
 * Only the phase is in the live region: a screen reader would read a clock in it
 * ten times a second, and an amount at each part of a download.
 */
export class StatusLine {
  readonly #line = findElement("status-line", HTMLElement);
  readonly #text = findElement("status-text", HTMLElement);
  readonly #amount = findElement("status-amount", HTMLElement);
  readonly #elapsed = findElement("status-elapsed", HTMLElement);
  readonly #progress = findElement("status-progress", HTMLProgressElement);
  #started = performance.now();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Starts new work and its clock. */
  begin(phase: string): void {
    this.#started = performance.now();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#show("working", phase);
    this.#progress.removeAttribute("value");
    this.#tick();
  }

  /** Names the phase of the running work, and its progress if known. */
  advance({ phase, amount }: ProgressWords, loaded = 0, total = 0): void {
    this.#show("working", phase, amount);
    if (total > 0) {
      this.#progress.max = total;
      this.#progress.value = Math.min(loaded, total);
    } else {
      this.#progress.removeAttribute("value");
    }
  }

  /** Ends the work; its time stays on show. */
  finish(kind: Exclude<StatusKind, "working">, sentence: string): void {
    clearInterval(this.#timer);
    this.#tick();
    this.#show(kind, sentence);
  }

  /** Shows a passing remark, unless work runs or has failed. */
  say(sentence: string): void {
    if (this.#line.dataset.kind === "ready") {
      this.#text.textContent = sentence;
    }
  }

  #show(kind: StatusKind, text: string, amount = ""): void {
    this.#line.dataset.kind = kind;
    this.#amount.textContent = amount;
    this.#progress.hidden = kind !== "working";
    if (this.#text.textContent !== text) {
      this.#text.textContent = text;
    }
  }

  #tick(): void {
    this.#elapsed.textContent = formatMs(performance.now() - this.#started);
  }
}
