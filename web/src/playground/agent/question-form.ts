/** The form that asks a question and stops it. */

import { makeElement } from "../../page-parts/make-element.ts";

export interface QuestionActions {
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}

/** The one question of the guided tour. */
const TOUR_QUESTION = "Show me around.";

/** A field that grows to a few lines; Enter asks, Shift+Enter begins a line. */
export class QuestionForm {
  readonly element: HTMLFormElement;
  readonly #question = makeElement("textarea", {
    id: "agent-question",
    rows: 2,
    placeholder: "What does this project do, and where would I begin to read?",
    "aria-describedby": "agent-question-problem",
  });
  readonly #field: HTMLElement;
  readonly #problem = makeElement("p", {
    class: "help warned",
    id: "agent-question-problem",
    role: "alert",
  });
  readonly #ask = makeElement("button", { type: "submit", class: "primary" }, "Ask");
  readonly #stop = makeElement("button", { type: "button", disabled: true }, "Stop");
  #isTour = false;
  #isRunning = false;

  constructor({ onAsk, onStop }: QuestionActions) {
    this.#field = makeElement(
      "div",
      { class: "field" },
      makeElement("label", { for: "agent-question" }, "Question"),
      this.#question,
    );
    this.element = makeElement(
      "form",
      { class: "agent-question", novalidate: true },
      this.#field,
      makeElement("div", { class: "agent-ask" }, this.#stop, this.#ask),
      this.#problem,
    );
    this.#stop.addEventListener("click", onStop);
    this.#question.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.element.requestSubmit();
      }
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#isRunning) {
        this.#submit(onAsk);
      }
    });
  }

  /** Says why the question cannot be asked. */
  showProblem(problem: string): void {
    this.#problem.textContent = problem;
  }

  /** For the guided tour, replaces the question by a button to start. */
  setTour(isTour: boolean): void {
    this.#isTour = isTour;
    this.#field.hidden = isTour;
    this.#ask.textContent = isTour ? "Start the tour" : "Ask";
    this.showProblem("");
  }

  setRunning(isRunning: boolean): void {
    if (isRunning === this.#isRunning) {
      return;
    }
    this.#isRunning = isRunning;
    const { activeElement } = document;
    this.#stop.disabled = !isRunning;
    this.#ask.disabled = isRunning;
    // A button that has the focus would lose it when disabled.
    if (isRunning && activeElement === this.#ask) {
      this.#stop.focus({ preventScroll: true });
    } else if (!isRunning && activeElement === this.#stop) {
      (this.#isTour ? this.#ask : this.#question).focus({ preventScroll: true });
    }
  }

  /** Whether the visitor is not typing: the focus is on nothing, or on Stop. */
  get isFocusIdle(): boolean {
    const { activeElement, body } = document;
    return activeElement === null || activeElement === body || activeElement === this.#stop;
  }

  /** Clears the field after its question was asked, unless it already holds another. */
  clear(asked: string): void {
    if (this.#question.value.trim() === asked) {
      this.#question.value = "";
    }
  }

  /** Puts a question back into the field, unless the visitor has begun another. */
  putBack(question: string): void {
    if (this.#question.value === "") {
      this.#question.value = question;
    }
  }

  #submit(onAsk: (question: string) => void): void {
    const question = this.#isTour ? TOUR_QUESTION : this.#question.value.trim();
    if (question === "") {
      this.showProblem("Write a question first.");
      this.#question.focus();
      return;
    }
    this.showProblem("");
    onAsk(question);
  }
}
