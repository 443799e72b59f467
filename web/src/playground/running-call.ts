/** How a call that takes time looks: a badge that counts, no old figures, and Stop in place of Run. */

import type { TimedProgressEvent } from "../index.ts";
import { wordProgress } from "../page-parts/progress-words.ts";
import type { ResultView } from "./result-view.ts";
import type { RunBar } from "./run-bar.ts";

/** Most calls end sooner; the page does not flicker for them. */
const SHOWN_AFTER_MS = 300;
const TICK_MS = 1000;

/** Shows one call at a time as running. */
export class RunningCall {
  readonly #bar: RunBar;
  readonly #result: ResultView;
  #started = 0;
  #amount = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isShown = false;

  constructor(bar: RunBar, result: ResultView) {
    this.#bar = bar;
    this.#result = result;
  }

  begin(): void {
    clearTimeout(this.#timer);
    this.#started = performance.now();
    this.#amount = "";
    this.#bar.clearProgress();
    this.#timer = setTimeout(() => this.#tick(), SHOWN_AFTER_MS);
  }

  advance(event: TimedProgressEvent): void {
    this.#amount = wordProgress(event)?.amount ?? "";
    this.#bar.showProgress(event);
    if (this.#isShown) {
      this.#draw();
    }
  }

  /** Ends the look; a call that gave no record leaves the last one in place. */
  end({ hasRecord }: { readonly hasRecord: boolean }): void {
    clearTimeout(this.#timer);
    this.#bar.clearProgress();
    this.#bar.setRunning(false);
    if (this.#isShown && !hasRecord) {
      this.#result.showStopped();
    }
    this.#isShown = false;
  }

  #tick(): void {
    this.#isShown = true;
    this.#bar.setRunning(true);
    this.#draw();
    const elapsedMs = performance.now() - this.#started;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS - (elapsedMs % TICK_MS));
  }

  #draw(): void {
    this.#result.showRunning(performance.now() - this.#started, this.#amount);
  }
}
