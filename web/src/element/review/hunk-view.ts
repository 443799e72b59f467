/** Shows one hunk: which lines it replaces, the lines, and the buttons that decide about it. */
import { makeElement } from "../../ui/make-element.ts";
import { wordRange } from "./change-words.ts";
import { type Decide, DecisionButtons } from "./decision-buttons.ts";
import { areAllCrLf } from "./diff-rows.ts";
import { drawLines } from "./line-blocks.ts";
import type { Hunk } from "./reviewed-client.ts";

export class HunkView {
  readonly element: HTMLElement;
  readonly #buttons: DecisionButtons;

  /** `name` is such as `hunk 1 of 3 in /repo/a.py`. */
  constructor(hunk: Hunk, name: string, decide: Decide) {
    const range = `${wordRange(hunk)}${areAllCrLf(hunk.lines) ? ", CR LF" : ""}`;
    this.#buttons = new DecisionButtons(name, decide);
    this.element = makeElement(
      "div",
      {
        class: "hunk",
        part: "hunk",
        role: "group",
        tabindex: -1,
        "aria-label": `${name}, ${range}`,
      },
      makeElement(
        "div",
        { class: "bar" },
        makeElement("span", { class: "quiet" }, range),
        this.#buttons.element,
      ),
      drawLines(hunk),
    );
  }

  set decision(decision: Hunk["decision"]) {
    this.#buttons.isTaken = decision === "kept";
  }
}
