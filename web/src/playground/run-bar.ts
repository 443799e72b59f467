/** The buttons that run and stop a call, what it waits for, and the field for its maximum size. */

import type { TimedProgressEvent } from "../index.ts";
import { makeElement } from "../page-parts/make-element.ts";
import { wordProgress } from "../page-parts/progress-words.ts";
import type { CallDraft } from "./call-draft.ts";

export interface RunBarActions {
  readonly onStop: () => void;
}

/** The bar at the end of the form; its Run button submits the form. */
export class RunBar {
  readonly element: HTMLElement;
  readonly #progress = makeElement("p", { role: "status", class: "help run-progress" });
  readonly #run: HTMLButtonElement;
  readonly #stop = makeElement("button", { type: "button", hidden: true }, "Stop");
  readonly #budget = makeElement("input", {
    id: "max-output-bytes",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    placeholder: "102400",
  });

  constructor(draft: CallDraft, { onStop }: RunBarActions) {
    this.#run = makeElement(
      "button",
      { type: "submit", class: "primary", "aria-keyshortcuts": "Control+Enter Meta+Enter" },
      "Run",
      makeElement("kbd", { "aria-hidden": "true" }, isApple() ? "⌘↵" : "Ctrl ↵"),
    );
    this.#stop.addEventListener("click", onStop);
    this.#budget.addEventListener("input", () => {
      const text = this.#budget.value.trim();
      const isWhole = /^\d{1,15}$/.test(text);
      this.#budget.setAttribute("aria-invalid", String(text !== "" && !isWhole));
      draft.setMaxOutputBytes(isWhole ? Number(text) : null, "budget");
    });
    draft.onChange((origin) => {
      if (origin !== "budget") {
        this.#budget.value = draft.maxOutputBytes === null ? "" : String(draft.maxOutputBytes);
        this.#budget.removeAttribute("aria-invalid");
      }
    });
    this.element = makeElement(
      "div",
      { class: "run-controls" },
      makeElement(
        "div",
        { class: "field budget" },
        makeElement("label", { for: "max-output-bytes" }, "Max output bytes"),
        this.#budget,
      ),
      this.#progress,
      this.#stop,
      this.#run,
    );
  }

  /** Puts Stop in the place of Run, or Run back, and the focus with it. */
  setRunning(isRunning: boolean): void {
    const [shown, hidden] = isRunning ? [this.#stop, this.#run] : [this.#run, this.#stop];
    const hasFocus = document.activeElement === hidden;
    shown.hidden = false;
    hidden.hidden = true;
    if (hasFocus) {
      shown.focus({ preventScroll: true });
    }
  }

  /** Forgets what the last call waited for. */
  clearProgress(): void {
    this.#progress.textContent = "";
  }

  /** Shows what the running call waits for. */
  showProgress(event: TimedProgressEvent): void {
    const words = wordProgress(event);
    this.#progress.textContent = words && `${words.phase}: ${words.amount}`;
  }
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
