/** The column of one tool in a comparison: its call, its answers page by page, and their cost. */

import { formatCount, formatCounted, formatMs } from "../../page-parts/format-quantities.ts";
import { escapeJson, showText } from "../../page-parts/hostile-characters.ts";
import { parseJsonObject } from "../../page-parts/json.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { CallText } from "../call-record.ts";
import { findNote } from "../tool-notes.ts";
import type { ComparedTool } from "./comparison.ts";
import type { ListedEntries } from "./listed-entries.ts";
import { findMissing } from "./missing-entries.ts";
import { renderMissing } from "./missing-view.ts";
import { renderChange, type ToolWalk } from "./tool-walk.ts";

export interface CompareColumnActions {
  /** The visitor wants the next page or all remaining pages; `null` means stop. */
  readonly onAdvance: (pages: "next" | "all" | null) => void;
  readonly onOpenCall: (call: CallText) => void;
}

const FIGURES = ["Est. tokens", "Size", "Tool", "Entries", "Calls"] as const;
type Figure = (typeof FIGURES)[number];

export class CompareColumn {
  readonly element: HTMLElement;
  readonly #badge = makeElement("span", { class: "badge" }, "no call yet");
  readonly #call = makeElement("code", { class: "compare-call" });
  readonly #figures = new Map<Figure, HTMLElement>();
  /** Shows the estimated tokens relative to the tool with the most. */
  readonly #bar = makeElement("div", { class: "compare-bar", "aria-hidden": "true" });
  readonly #content: HTMLPreElement;
  readonly #page = makeElement("span", { class: "figure compare-page" });
  readonly #before = makeElement("button", { type: "button" }, "‹");
  readonly #after = makeElement("button", { type: "button" }, "›");
  readonly #next = makeElement("button", { type: "button" }, "Next page");
  readonly #all = makeElement("button", { type: "button" }, "All pages");
  readonly #open = makeElement("button", { type: "button" }, "Open in console");
  readonly #going = makeElement("p", { class: "help compare-going" });
  readonly #missing = makeElement("div", { class: "compare-missing" });
  readonly #actions: CompareColumnActions;
  #walk: ToolWalk | null = null;
  #shownPage = 0;
  #isRunning = false;

  constructor(tool: ComparedTool, actions: CompareColumnActions) {
    this.#actions = actions;
    this.#content = makeElement("pre", {
      class: "code",
      tabindex: 0,
      role: "region",
      "aria-label": `Content of ${tool}`,
      dir: "ltr",
    });
    this.#before.setAttribute("aria-label", `Page before, of ${tool}`);
    this.#after.setAttribute("aria-label", `Page after, of ${tool}`);
    this.element = makeElement(
      "section",
      { class: "compare-column", "aria-labelledby": `compare-${tool}` },
      makeElement(
        "div",
        { class: "compare-head" },
        makeElement("h3", { id: `compare-${tool}` }, tool),
        this.#badge,
      ),
      makeElement("p", { class: "help" }, findNote(tool)?.summary ?? ""),
      this.#call,
      this.#makeFigures(),
      this.#bar,
      this.#going,
      this.#makePager(),
      this.#missing,
      this.#content,
    );
    this.#drawPager();
  }

  /** Shows a walk from its first page; null shows no walk. */
  setWalk(walk: ToolWalk | null): void {
    this.#walk = walk;
    this.#shownPage = 0;
    this.#badge.textContent = walk === null ? "no call yet" : "waiting";
    delete this.#badge.dataset.kind;
    this.#call.textContent = "";
    for (const value of this.#figures.values()) {
      value.textContent = "—";
    }
    this.#bar.style.inlineSize = "0";
    this.#content.replaceChildren();
    this.#missing.replaceChildren();
    this.#going.textContent = "";
    this.#drawPager();
  }

  /** Marks the column as waiting for an answer. */
  setRunning(isRunning: boolean): void {
    this.#isRunning = isRunning;
    this.#content.setAttribute("aria-busy", String(isRunning));
    this.#drawPager();
  }

  /** Shows the latest page, and the cost of the answers so far. */
  draw(entries: ListedEntries, mostTokens: number): void {
    const walk = this.#walk;
    if (walk === null || walk.pages.length === 0) {
      return;
    }
    this.#shownPage = walk.pages.length - 1;
    this.#drawPage();
    const { calls, sizeBytes, estimatedTokens, elapsedMs } = walk.totals;
    const words: Readonly<Record<Figure, string>> = {
      "Est. tokens": formatCount(estimatedTokens),
      Size: `${formatCount(sizeBytes)} B`,
      Tool: formatMs(elapsedMs),
      Entries: formatCount(entries.size),
      Calls: formatCount(calls),
    };
    for (const [name, value] of this.#figures) {
      value.textContent = words[name];
    }
    this.#bar.style.inlineSize = `${(100 * estimatedTokens) / Math.max(1, mostTokens)}%`;
    this.#going.replaceChildren(this.#wordGoing(walk));
  }

  /** Says in a word why there is no answer; does nothing if there is one, since an answer has its own word. */
  markUnanswered(word: string): void {
    if (this.#walk?.pages.length === 0) {
      this.#badge.textContent = word;
      this.#badge.dataset.kind = "failed";
    }
  }

  /** Shows the entries that other tools have shown and this one has not. */
  drawMissing(entries: ListedEntries, union: ListedEntries): void {
    const last = this.#walk?.pages.at(-1);
    if (last === undefined || last.result.isError) {
      this.#missing.replaceChildren();
      return;
    }
    const isWhole = this.#walk?.nextCall === null;
    this.#missing.replaceChildren(renderMissing(findMissing(entries, union), isWhole));
  }

  #makeFigures(): HTMLElement {
    const pairs = FIGURES.map((name) => {
      const value = makeElement("dd", { class: "figure" }, "—");
      this.#figures.set(name, value);
      return makeElement("div", {}, makeElement("dt", {}, name), value);
    });
    return makeElement("dl", { class: "readouts" }, ...pairs);
  }

  #makePager(): HTMLElement {
    this.#before.addEventListener("click", () => this.#turn(-1));
    this.#after.addEventListener("click", () => this.#turn(1));
    this.#next.addEventListener("click", () => this.#actions.onAdvance("next"));
    this.#all.addEventListener("click", () => {
      this.#actions.onAdvance(this.#isRunning ? null : "all");
    });
    this.#open.addEventListener("click", () => {
      const record = this.#walk?.pages[this.#shownPage];
      if (record !== undefined) {
        this.#actions.onOpenCall(record);
      }
    });
    return makeElement(
      "div",
      { class: "compare-pager" },
      this.#before,
      this.#page,
      this.#after,
      this.#next,
      this.#all,
      this.#open,
    );
  }

  #turn(step: number): void {
    this.#shownPage += step;
    this.#drawPage();
  }

  #drawPage(): void {
    const record = this.#walk?.pages[this.#shownPage];
    if (record === undefined) {
      return;
    }
    const { content, isError, error, truncated } = record.result;
    this.#badge.textContent = isError ? (error?.kind ?? "error") : truncated ? "cut" : "ok";
    this.#badge.dataset.kind = isError ? "failed" : truncated ? "warned" : "ready";
    const values = parseJsonObject(record.argumentsText);
    this.#call.textContent = escapeJson(JSON.stringify(values));
    this.#content.classList.toggle("sentence", isError);
    this.#content.replaceChildren(showText(content));
    this.#content.scrollTop = 0;
    this.#drawPager();
  }

  #drawPager(): void {
    const count = this.#walk?.pages.length ?? 0;
    const hasNext = count > 0 && this.#walk?.nextCall !== null;
    this.#page.textContent =
      count === 0 ? "" : `Page ${formatCount(this.#shownPage + 1)} of ${formatCount(count)}`;
    this.#page.textContent += hasNext ? "+" : "";
    this.#before.disabled = this.#shownPage === 0;
    this.#after.disabled = this.#shownPage + 1 >= count;
    this.#next.disabled = !hasNext || this.#isRunning;
    this.#all.disabled = !hasNext && !this.#isRunning;
    this.#all.textContent = this.#isRunning && count > 0 ? "Stop" : "All pages";
    this.#open.disabled = count === 0;
  }

  #wordGoing(walk: ToolWalk): Node {
    const last = walk.pages.at(-1);
    const next = walk.nextCall;
    const fragment = document.createDocumentFragment();
    if (last === undefined || last.result.isError) {
      return fragment;
    }
    if (next !== null) {
      const change = makeElement("code", {}, escapeJson(renderChange(last, next)));
      fragment.append("Continues with ", change);
    } else if (last.result.truncated) {
      fragment.append("Cut, and no call continues it. ", showText(last.result.warnings.join(" ")));
    } else {
      fragment.append(`All that it shows, in ${formatCounted(walk.totals.calls, "call")}`);
    }
    return fragment;
  }
}
