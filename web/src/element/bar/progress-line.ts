/** Shows how far a start or a mount is. */
import type { TimedProgressEvent } from "../../index.ts";
import { makeElement } from "../../ui/make-element.ts";
import { wordProgress } from "../../ui/progress-words.ts";
import type { DemoState } from "../runs/demo-runs.ts";

/** A bar with words; amounts change often, so a screen reader hears only the phases. */
export class ProgressLine {
  readonly element: HTMLElement;
  readonly #bar = makeElement("progress", { "aria-label": "Progress", part: "progress" });
  readonly #phase = makeElement("span", { "aria-hidden": "true" });
  readonly #amount = makeElement("span", { class: "amount", "aria-hidden": "true" });
  readonly #announce: (words: string) => void;

  /** `announce` is called once for each phase. */
  constructor(announce: (words: string) => void) {
    this.#announce = announce;
    this.element = makeElement("div", { class: "progress" }, this.#bar, this.#phase, this.#amount);
    this.element.hidden = true;
  }

  /** Shows the line while the demo starts or runs, and hides it otherwise. */
  enter(state: DemoState): void {
    this.element.hidden = state !== "starting" && state !== "running";
    if (!this.element.hidden) {
      this.#say(state === "starting" ? "Starting" : "Running", "");
      this.#bar.removeAttribute("value");
    }
  }

  show(event: TimedProgressEvent): void {
    const words = wordProgress(event);
    if (words === null || this.element.hidden) {
      return;
    }
    this.#say(words.phase, words.amount);
    if (event.total === undefined || event.total === 0) {
      this.#bar.removeAttribute("value");
    } else {
      this.#bar.max = event.total;
      this.#bar.value = Math.min(event.loaded, event.total);
    }
  }

  #say(phase: string, amount: string): void {
    if (this.#phase.textContent !== phase) {
      this.#phase.textContent = phase;
      this.#announce(phase);
    }
    this.#amount.textContent = amount;
  }
}
