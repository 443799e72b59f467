/** The buttons Take and Leave of a change or a hunk. */
import { makeButton, makeElement } from "../../ui/make-element.ts";
import type { Decision } from "./review-session.ts";

export class DecisionButtons {
  readonly element: HTMLElement;
  readonly #name: string;
  readonly #take: HTMLButtonElement;
  #isTaken = false;

  /** `name` says what is decided about, such as `hunk 1 of 3 in /repo/a.py`. */
  constructor(name: string, decide: (decision: Decision) => void) {
    const leave = makeButton("", () => decide("leave"));
    this.#name = name;
    this.#take = makeButton("", () => decide(this.#isTaken ? "untake" : "take"));
    this.element = makeElement("div", { class: "buttons" }, this.#take, leave);
    this.isTaken = false;
    nameButton(leave, "Leave", name);
  }

  /** True if it is taken already; the button then takes that back. */
  set isTaken(isTaken: boolean) {
    this.#isTaken = isTaken;
    nameButton(this.#take, isTaken ? "Taken" : "Take", this.#name);
    this.#take.className = isTaken ? "take taken" : "take";
    this.#take.title = isTaken ? "Press again if you do not agree any more" : "";
  }
}

/**
 * Gives a button a word, and a name to speak that the word begins.
 *
 * An idle button does nothing now. It is not `disabled`, so that it keeps the focus.
 */
export function nameButton(
  button: HTMLButtonElement,
  word: string,
  rest: string,
  isIdle = false,
): void {
  button.textContent = word;
  button.ariaLabel = `${word} ${rest}`;
  button.ariaDisabled = String(isIdle);
}
