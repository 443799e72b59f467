/** The buttons Take and Leave of a change or a hunk, and the reason for leaving it. */
import { makeElement } from "../../ui/make-element.ts";

/** The reader takes something, or leaves it for a reason, which may be "". */
export type Decide = (reason: string | null) => void;

const REASON = "Reason (optional)";

/** Leave opens a line for the reason, so that one press takes nothing away. */
export class DecisionButtons {
  readonly element: HTMLElement;
  readonly #name: string;
  readonly #take = makeButton("Take");
  readonly #leave = makeButton("Leave");
  readonly #reason = makeElement("input", {
    class: "field",
    placeholder: REASON,
    "aria-label": REASON,
  });
  readonly #form: HTMLFormElement;

  /** `name` says what is decided about, such as `hunk 1 of 3 in /repo/a.py`. */
  constructor(name: string, decide: Decide) {
    this.#name = name;
    this.#take.className = "take";
    this.#take.addEventListener("click", () => this.#isTaken || decide(null));
    this.#leave.addEventListener("click", () => this.#ask(true));
    nameButton(this.#leave, "Leave", name);
    this.#form = this.#makeForm(decide);
    this.element = makeElement("div", { class: "buttons" }, this.#take, this.#leave, this.#form);
    this.isTaken = false;
    this.#ask(false);
  }

  /** True if it is taken already; the button then stays, and keeps the focus. */
  set isTaken(isTaken: boolean) {
    nameButton(this.#take, isTaken ? "Taken" : "Take", this.#name);
    setIdle(this.#take, isTaken);
  }

  get #isTaken(): boolean {
    return this.#take.ariaDisabled === "true";
  }

  #makeForm(decide: Decide): HTMLFormElement {
    const leave = makeButton("");
    const cancel = makeButton("Cancel");
    const form = makeElement("form", { class: "buttons" }, this.#reason, leave, cancel);
    const close = () => {
      this.#ask(false);
      this.#leave.focus();
    };
    leave.type = "submit";
    nameButton(leave, "Leave", this.#name);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      close();
      decide(this.#reason.value.trim());
    });
    form.addEventListener("keydown", ({ key }) => key === "Escape" && close());
    cancel.addEventListener("click", close);
    return form;
  }

  #ask(isAsking: boolean): void {
    this.#form.hidden = !isAsking;
    this.#take.hidden = isAsking;
    this.#leave.hidden = isAsking;
    if (isAsking) {
      this.#reason.value = "";
      this.#reason.focus();
    }
  }
}

export function makeButton(word: string): HTMLButtonElement {
  return makeElement("button", { type: "button", part: "button" }, word);
}

/** Gives a button a word, and a name to speak that the word begins. */
export function nameButton(button: HTMLButtonElement, word: string, rest: string): void {
  button.textContent = word;
  button.ariaLabel = `${word} ${rest}`;
}

/** Marks a button that does nothing now. It is not `disabled`, so that it keeps the focus. */
export function setIdle(button: HTMLButtonElement, isIdle: boolean): void {
  button.ariaDisabled = String(isIdle);
}
