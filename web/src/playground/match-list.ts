/** The matches of a search, each a button that opens the file at the line. */

import { formatCounted } from "../page-parts/format-quantities.ts";
import { showName } from "../page-parts/hostile-characters.ts";
import { makeElement } from "../page-parts/make-element.ts";
import type { FoundMatch } from "./found-matches.ts";

/** More rows would make the page slow; the content has them all. */
const MAX_ROWS = 500;
/** A longer line is cut around its first match. */
const MAX_LINE_CHARACTERS = 400;
const CHARACTERS_BEFORE_A_MATCH = 80;

export class MatchList {
  readonly element = makeElement("div", { class: "match-list" });
  readonly #onOpen: (match: FoundMatch) => void;

  constructor(onOpen: (match: FoundMatch) => void) {
    this.#onOpen = onOpen;
  }

  show(matches: readonly FoundMatch[]): void {
    const rows = matches.slice(0, MAX_ROWS).map((match) => this.#makeRow(match));
    const more = matches.length - rows.length;
    this.element.replaceChildren(makeElement("ul", { "aria-label": "Matches" }, ...rows));
    if (more > 0) {
      const rest = `${formatCounted(more, "further match", "further matches")}: see Content.`;
      this.element.append(makeElement("p", { class: "help" }, rest));
    }
  }

  #makeRow(match: FoundMatch): HTMLElement {
    const place = makeElement("span", { class: "match-place" });
    place.append(showName(match.path), match.line === null ? "" : `:${match.line}`);
    const button = makeElement("button", { type: "button" }, place);
    if (match.text !== "") {
      button.append(makeElement("code", {}, showLine(match)));
    }
    button.addEventListener("click", () => this.#onOpen(match));
    return makeElement("li", {}, button);
  }
}

function showLine({ text, marks }: FoundMatch): DocumentFragment {
  const first = marks[0]?.[0] ?? 0;
  const isCut = text.length > MAX_LINE_CHARACTERS;
  const indent = text.length - text.trimStart().length;
  const from = isCut ? Math.max(0, first - CHARACTERS_BEFORE_A_MATCH) : Math.min(indent, first);
  const to = isCut ? from + MAX_LINE_CHARACTERS : text.length;
  const fragment = document.createDocumentFragment();
  let at = from;
  fragment.append(isCut && from > 0 ? "…" : "");
  for (const [start, end] of marks) {
    if (start >= at && end <= to) {
      const mark = makeElement("mark", {});
      mark.append(showName(text.slice(start, end)));
      fragment.append(showName(text.slice(at, start)), mark);
      at = end;
    }
  }
  fragment.append(showName(text.slice(at, to)), to < text.length ? "…" : "");
  return fragment;
}
