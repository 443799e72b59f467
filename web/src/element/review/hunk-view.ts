/** Shows one hunk: which lines it replaces, the lines, and the buttons that decide about it. */
import { formatCounted } from "../../ui/format-quantities.ts";
import { showText } from "../../ui/hostile-characters.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import { wordRange } from "./change-words.ts";
import { DecisionButtons } from "./decision-buttons.ts";
import { areAllCrLf, indentOf, nextCut, type Row, rowsOf } from "./diff-rows.ts";
import type { Decision } from "./review-session.ts";
import type { Hunk } from "./reviewed-client.ts";

/** A hunk without the decision about it. */
type DrawnHunk = Omit<Hunk, "decision">;

export class HunkView {
  readonly element: HTMLElement;
  readonly #buttons: DecisionButtons | null;

  /**
   * `name` is such as `hunk 1 of 3 in /repo/a.py`; without `decide`, the buttons of the file decide
   * about the hunk.
   */
  constructor(hunk: DrawnHunk, name: string, decide: ((decision: Decision) => void) | null) {
    const range = `${wordRange(hunk)}${areAllCrLf(hunk.lines) ? ", CR LF" : ""}`;
    this.#buttons = decide && new DecisionButtons(name, decide);
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
        ...(this.#buttons === null ? [] : [this.#buttons.element]),
      ),
      drawLines(hunk),
    );
  }

  set decision(decision: Hunk["decision"]) {
    if (this.#buttons !== null) {
      this.#buttons.isTaken = decision === "kept";
    }
  }
}

/** As many rows are made at once, so that the page answers a click between two blocks. */
const BLOCK_ROWS = 200;
/** More rows appear when the reader asks for them. */
const MAX_ROWS = 10_000;

const TAGS = { " ": "span", "+": "ins", "-": "del", "\\": "em" } as const;

function drawLines(hunk: DrawnHunk): HTMLElement {
  const element = makeElement("div", { class: "lines", part: "lines", dir: "ltr" });
  appendRows(element, rowsOf(hunk), 0);
  return element;
}

function appendRows(element: HTMLElement, rows: readonly Row[], start: number): void {
  const end = start + BLOCK_ROWS;
  const block = makeElement("div", {}, ...rows.slice(start, end).map(drawRow));
  // The style sheet knows the size of a full block before it is in view.
  block.className = end > rows.length ? "" : "block";
  element.append(block);
  const appendNext = () => appendRows(element, rows, end);
  if (end % MAX_ROWS === 0) {
    offerMore(element, rows.length - end, "more line", appendNext);
  } else if (end < rows.length) {
    setTimeout(appendNext);
  }
}

/** Returns a line; the style sheet shows its numbers, so that a selection leaves them out. */
function drawRow({ sign, text, before, after }: Row): HTMLElement {
  const code = makeElement(TAGS[sign]);
  code.style.setProperty("--_indent", String(indentOf(text)));
  appendCut(code, text, 0);
  return makeElement(
    "div",
    {
      class: "line",
      "data-before": before,
      "data-after": `${after}\u00a0${sign === "\\" ? " " : sign}`,
    },
    code,
  );
}

/** Appends what a long line shows next, and a button for the rest. */
function appendCut(code: HTMLElement, text: string, shown: number): void {
  const end = nextCut(text, shown);
  code.append(showText(text.slice(shown, end)));
  offerMore(code, text.length - end, "more character", () => appendCut(code, text, end));
}

/** Appends a button that what it stands for replaces, if anything is left. */
function offerMore(parent: HTMLElement, left: number, noun: string, show: () => void): void {
  if (left > 0) {
    const showRest = () => {
      button.remove();
      show();
      const next = parent.querySelector<HTMLElement>(":scope > .more");
      (next ?? parent.closest<HTMLElement>(".hunk"))?.focus({ preventScroll: true });
    };
    const button = makeButton(formatCounted(left, noun), showRest, { class: "more" });
    parent.append(button);
  }
}
