/** Draws the lines of a hunk in blocks, of which a browser renders only those in view. */
import { formatCount } from "../../page-parts/format-quantities.ts";
import { showText } from "../../page-parts/hostile-characters.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { inBlocks, nextCut, type Row } from "./diff-rows.ts";

const BLOCK_ROWS = 100;
/** As many blocks are made at once, so that the page answers a click between them. */
const TURN_BLOCKS = 5;
/** More rows appear when the reader asks for them. */
const MAX_ROWS = 10_000;

const TAGS = { same: "span", added: "ins", removed: "del", note: "span" } as const;
const SIGNS = { same: "\u00a0", added: "+", removed: "\u2212", note: "" } as const;

/** Returns the lines as an element. It fills up in turns of a timer; its size is right at once. */
export function drawRows(rows: readonly Row[]): HTMLElement {
  const element = makeElement("div", { class: "lines", part: "lines", dir: "ltr" });
  const last = rows.at(-1);
  const digits = formatDigits(Math.max(last?.before ?? 0, last?.after ?? 0, rows.length));
  element.style.setProperty("--_digits", String(digits));
  appendRows(element, rows);
  return element;
}

function formatDigits(number: number): number {
  return Math.max(2, String(number).length);
}

function appendRows(element: HTMLElement, rows: readonly Row[]): void {
  const blocks = inBlocks(rows.slice(0, MAX_ROWS), BLOCK_ROWS);
  const empty = blocks.map((block) => {
    const place = makeElement("div", { class: "block" });
    place.style.setProperty("--_rows", String(block.length));
    return { place, block };
  });
  element.append(...empty.map(({ place }) => place));
  const fillTurn = () => {
    for (const { place, block } of empty.splice(0, TURN_BLOCKS)) {
      place.append(...block.map(drawRow));
    }
    if (empty.length > 0) {
      setTimeout(fillTurn);
    }
  };
  fillTurn();
  const rest = rows.slice(MAX_ROWS);
  if (rest.length > 0) {
    element.append(
      makeMore(`${formatCount(rest.length)} more lines`, () => appendRows(element, rest)),
    );
  }
}

function drawRow({ kind, text, before, after }: Row): HTMLElement {
  const code = makeElement(TAGS[kind]);
  if (kind === "note") {
    code.append("No line feed at the end of this line");
  } else {
    appendCut(code, text, 0);
  }
  const line = makeElement("div", { class: `line ${kind}` }, code);
  // Shown by the style sheet, so that a selection of the text leaves them out.
  line.dataset.before = String(before ?? "");
  line.dataset.after = `${after ?? ""}\u00a0${SIGNS[kind]}`;
  line.dataset.only = `${after ?? before ?? ""}\u00a0${SIGNS[kind]}`;
  return line;
}

/** Appends what a long line shows next, and a button for the rest. */
function appendCut(code: HTMLElement, text: string, shown: number): void {
  const end = nextCut(text, shown);
  code.append(showText(text.slice(shown, end)));
  const hidden = text.length - end;
  if (hidden > 0) {
    const words = `${formatCount(hidden)} more characters`;
    code.append(makeMore(words, () => appendCut(code, text, end)));
  }
}

/** Returns a button that what it stands for replaces. */
function makeMore(words: string, show: () => void): HTMLButtonElement {
  const button = makeElement("button", { type: "button", class: "more", part: "button" }, words);
  button.addEventListener("click", () => {
    const parent = button.parentElement;
    button.remove();
    show();
    const next = parent?.querySelector<HTMLElement>(":scope > .more");
    (next ?? parent?.closest<HTMLElement>("[tabindex]"))?.focus({ preventScroll: true });
  });
  return button;
}
