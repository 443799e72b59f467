/** The buttons Take and Leave of a change or a hunk, and the reason for leaving it. */
import { makeElement } from "../../page-parts/make-element.ts";

export interface DecisionActions {
  /** What is decided about, for a screen reader: `hunk 1 of 3 in /repo/a.py`. */
  readonly name: string;
  readonly onTake: () => void;
  readonly onLeave: (reason: string) => void;
}

const REASON = "Reason (optional)";

/** Leave opens a line for the reason, so that one press takes nothing away. */
export class DecisionButtons {
  readonly element: HTMLElement;
  readonly #take: HTMLButtonElement;
  readonly #leave: HTMLButtonElement;
  readonly #reason = makeElement("input", {
    type: "text",
    placeholder: REASON,
    "aria-label": REASON,
    autocomplete: "off",
  });
  readonly #form: HTMLFormElement;
  #isTaken = false;

  constructor({ name, onTake, onLeave }: DecisionActions) {
    this.#take = makeButton("Take", `Take ${name}`, "take");
    this.#leave = makeButton("Leave", `Leave ${name}`);
    this.#take.addEventListener("click", () => this.#isTaken || onTake());
    this.#leave.addEventListener("click", () => this.#ask(true));
    this.#form = this.#makeForm(name, onLeave);
    this.element = makeElement("div", { class: "decision" }, this.#take, this.#leave, this.#form);
    this.#ask(false);
  }

  /** Whether it is taken already; the button then stays, and keeps the focus. */
  set isTaken(isTaken: boolean) {
    if (isTaken === this.#isTaken) {
      return;
    }
    const [from, to] = isTaken ? ["Take", "Taken"] : ["Taken", "Take"];
    const name = this.#take.getAttribute("aria-label") ?? "";
    this.#isTaken = isTaken;
    this.#take.textContent = to;
    this.#take.setAttribute("aria-label", name.replace(from, to));
    this.#take.setAttribute("aria-disabled", String(isTaken));
  }

  #makeForm(name: string, onLeave: (reason: string) => void): HTMLFormElement {
    const leave = makeElement("button", { type: "submit", "aria-label": `Leave ${name}` }, "Leave");
    const cancel = makeButton("Cancel", `Cancel: ${name}`);
    const form = makeElement("form", { class: "reason" }, this.#reason, leave, cancel);
    const close = () => {
      this.#ask(false);
      this.#leave.focus();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      close();
      onLeave(this.#reason.value.trim());
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

/** Returns a button whose visible word begins the name that is spoken. */
export function makeButton(word: string, name: string, kind = ""): HTMLButtonElement {
  const part = `button ${kind}`.trim();
  return makeElement("button", { type: "button", "aria-label": name, class: kind, part }, word);
}
