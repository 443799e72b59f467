/** Shows one hunk: which lines it replaces, the lines, and the buttons that decide about it. */
import { formatCount } from "../../page-parts/format-quantities.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { wordRange } from "./change-words.ts";
import { DecisionButtons } from "./decision-buttons.ts";
import { areAllCrLf, rowsOf } from "./diff-rows.ts";
import { drawRows } from "./line-blocks.ts";
import type { Hunk } from "./reviewed-client.ts";

export interface HunkPlace {
  /** From 1. */
  readonly number: number;
  readonly total: number;
  /** The name of the file, without marks. */
  readonly fileName: string;
}

export interface HunkActions {
  readonly onTake: (hunk: Hunk, name: string) => void;
  readonly onLeave: (hunk: Hunk, name: string, reason: string) => void;
}

/** Keeps its lines while only the decision changes. */
export class HunkView {
  readonly element: HTMLElement;
  readonly #buttons: DecisionButtons;
  readonly #shown: string;

  constructor(hunk: Hunk, place: HunkPlace, { onTake, onLeave }: HunkActions) {
    const { number, total, fileName } = place;
    const title = `hunk ${formatCount(number)} of ${formatCount(total)}`;
    const name = `${title} in ${fileName}`;
    this.#shown = identityOf(hunk, place);
    const spoken = `H${name.slice(1)}`;
    this.#buttons = new DecisionButtons({
      name,
      onTake: () => onTake(hunk, spoken),
      onLeave: (reason) => onLeave(hunk, spoken, reason),
    });
    const words = [wordRange(hunk), ...(areAllCrLf(hunk.lines) ? ["CR LF"] : [])];
    this.element = makeElement(
      "div",
      { class: "hunk", part: "hunk", role: "group", tabindex: -1 },
      makeElement(
        "div",
        { class: "hunk-head" },
        makeElement("span", { class: "range" }, words.join(" \u00b7 ")),
        this.#buttons.element,
      ),
      drawRows(rowsOf(hunk)),
    );
    this.element.setAttribute("aria-label", `H${title.slice(1)}, ${words.join(", ")}`);
    this.decision = hunk.decision;
  }

  set decision(decision: Hunk["decision"]) {
    this.#buttons.isTaken = decision === "kept";
    this.element.classList.toggle("taken", decision === "kept");
  }

  /** Whether it shows this hunk already, but for the decision. */
  shows(hunk: Hunk, place: HunkPlace): boolean {
    return this.#shown === identityOf(hunk, place);
  }
}

function identityOf(hunk: Hunk, place: HunkPlace): string {
  return JSON.stringify([place, { ...hunk, decision: "" }]);
}
