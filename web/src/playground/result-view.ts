/** The result of a call: its exact content, what it found, its time and size, and the next call. */

import { estimateTokens, sizeBytes } from "../adapters/output-profile.ts";
import type { ToolResult } from "../index.ts";
import { copyText } from "../page-parts/copy-text.ts";
import { formatCount, formatMs } from "../page-parts/format-quantities.ts";
import { showText } from "../page-parts/hostile-characters.ts";
import { renderJson } from "../page-parts/json.ts";
import { findElement, makeElement } from "../page-parts/make-element.ts";
import type { CallRecord } from "./call-record.ts";
import { renderCommand, renderJavaScript } from "./call-snippets.ts";
import { type FoundMatch, findMatches } from "./found-matches.ts";
import { MatchList } from "./match-list.ts";
import { Tabs } from "./tabs.ts";

export interface ResultViewActions {
  /** The visitor asked for the call that continues the shown one. */
  readonly onNextPage: (toolName: string, nextArguments: unknown) => void;
  /** The visitor wants to read what a search has found. */
  readonly onOpenMatch: (toolName: string, match: FoundMatch) => void;
}

const READOUTS = ["Tool", "Round trip", "Size", "Est. tokens", "Left out"] as const;
type Readout = (typeof READOUTS)[number];
type ResultTab = "content" | "matches" | "structured" | "call";

const NOTHING = "—";
const NO_CALL = "no call yet";
const MS_PER_SECOND = 1000;

/** Shows one record at a time. */
export class ResultView {
  readonly #badge = makeElement("span", { class: "badge" }, NO_CALL);
  readonly #nextPage = makeElement("button", { type: "button", disabled: true }, "Next page");
  readonly #readouts = new Map<Readout, HTMLElement>();
  readonly #warnings = makeElement("ul", { class: "warnings", "aria-label": "Warnings" });
  readonly #content = makePre("Content");
  readonly #matches: MatchList;
  readonly #structured = makePre("Structured content");
  readonly #script = makePre("JavaScript");
  readonly #command = makePre("Command line");
  readonly #wrap = makeElement("input", { type: "checkbox" });
  readonly #invisibles = makeElement("input", { type: "checkbox" });
  readonly #copy = makeElement("button", { type: "button", disabled: true }, "Copy");
  readonly #announcement = makeElement("p", { role: "status", class: "visually-hidden" });
  readonly #tabs: Tabs<ResultTab>;
  #record: CallRecord | null = null;

  constructor({ onNextPage, onOpenMatch }: ResultViewActions) {
    this.#matches = new MatchList((match) => {
      if (this.#record !== null) {
        onOpenMatch(this.#record.toolName, match);
      }
    });
    this.#invisibles.checked = true;
    this.#wrap.checked = matchMedia("(width < 760px)").matches;
    this.#tabs = this.#makeTabs();
    this.#nextPage.addEventListener("click", () => {
      const next = this.#record?.result.nextArguments;
      if (this.#record !== null && next) {
        onNextPage(this.#record.toolName, next);
      }
    });
    this.#invisibles.addEventListener("change", () => this.#drawContent());
    this.#copy.addEventListener("click", () => void this.#copyContent());
    findElement("result-view", HTMLElement).append(
      makeElement("div", { class: "result-head" }, this.#badge, this.#nextPage),
      this.#makeReadouts(),
      this.#warnings,
      this.#tabs.element,
      this.#announcement,
    );
  }

  /** Whether any result has been shown yet. */
  get hasRecord(): boolean {
    return this.#record !== null;
  }

  /** Shows a record; if `isNew`, also announces it. */
  show(record: CallRecord, { isNew }: { readonly isNew: boolean }): void {
    this.#record = record;
    const { result } = record;
    this.#content.setAttribute("aria-busy", "false");
    this.#badge.textContent = result.error?.kind ?? (result.isError ? "error" : "ok");
    this.#badge.dataset.kind = result.isError ? "failed" : "ready";
    this.#nextPage.disabled = !result.nextArguments;
    this.#drawReadouts(record);
    this.#warnings.replaceChildren(
      ...result.warnings.map((text) => makeElement("li", {}, showText(text))),
    );
    this.#drawContent();
    const matches = findMatches(record) ?? [];
    this.#matches.show(matches);
    this.#tabs.setEnabled("matches", matches.length > 0);
    if (isNew && matches.length > 0) {
      this.#tabs.select("matches");
    }
    this.#structured.textContent = result.structuredContent
      ? renderJson(result.structuredContent)
      : "";
    this.#tabs.setEnabled("structured", Boolean(result.structuredContent));
    this.#script.textContent = renderJavaScript(record);
    this.#command.textContent = renderCommand(record);
    this.#copy.disabled = false;
    if (isNew) {
      this.#announcement.textContent = describe(record);
    }
  }

  /** Shows how long a call runs and what it waits for, in place of the figures of the last one. */
  showRunning(elapsedMs: number, amount: string): void {
    if (this.#record === null) {
      this.#badge.textContent = "waiting for Python";
      return;
    }
    const seconds = `running ${formatCount(Math.floor(elapsedMs / MS_PER_SECOND))} s`;
    this.#badge.textContent = amount === "" ? seconds : `${seconds} · ${amount}`;
    this.#badge.dataset.kind = "running";
    for (const element of this.#readouts.values()) {
      element.textContent = NOTHING;
      element.classList.remove("warned");
    }
    this.#nextPage.disabled = true;
    this.#content.setAttribute("aria-busy", "true");
  }

  /** Shows the last record again after a call that gave none. */
  showStopped(): void {
    this.#content.setAttribute("aria-busy", "false");
    if (this.#record === null) {
      this.#badge.textContent = NO_CALL;
      delete this.#badge.dataset.kind;
    } else {
      this.show(this.#record, { isNew: false });
    }
  }

  #makeTabs(): Tabs<ResultTab> {
    const call = makeElement(
      "div",
      { class: "call-panel" },
      makeElement("h3", {}, "In a page"),
      this.#script,
      makeElement("h3", {}, "In a shell, on the current directory"),
      this.#command,
    );
    const tabs = new Tabs<ResultTab>(
      "Result views",
      [
        { name: "content", label: "Content", panel: makeElement("div", {}, this.#content) },
        { name: "matches", label: "Matches", panel: this.#matches.element },
        {
          name: "structured",
          label: "Structured",
          panel: makeElement("div", {}, this.#structured),
        },
        { name: "call", label: "Call", panel: call },
      ],
      "content",
    );
    tabs.setEnabled("matches", false);
    tabs.setEnabled("structured", false);
    const wrap = () => tabs.element.classList.toggle("wraps", this.#wrap.checked);
    this.#wrap.addEventListener("change", wrap);
    wrap();
    tabs.bar.append(
      makeElement(
        "div",
        { class: "view-options" },
        makeElement("label", {}, this.#wrap, "Wrap"),
        makeElement("label", {}, this.#invisibles, "Show invisibles"),
        this.#copy,
      ),
    );
    return tabs;
  }

  #makeReadouts(): HTMLElement {
    const pairs = READOUTS.map((name) => {
      const value = makeElement("dd", { class: "figure" }, NOTHING);
      this.#readouts.set(name, value);
      return makeElement("div", {}, makeElement("dt", {}, name), value);
    });
    return makeElement("dl", { class: "readouts" }, ...pairs);
  }

  #drawReadouts({ result, roundTripMs }: CallRecord): void {
    const figures: Readonly<Record<Readout, string>> = {
      Tool: formatMs(result.elapsedMs),
      "Round trip": formatMs(roundTripMs),
      Size: `${formatCount(sizeBytes(result.content))} B`,
      "Est. tokens": formatCount(estimateTokens(result.content)),
      "Left out": result.truncated ? "truncated" : "nothing",
    };
    for (const [name, element] of this.#readouts) {
      element.textContent = result.isError && name === "Left out" ? NOTHING : figures[name];
      element.classList.toggle("warned", name === "Left out" && result.truncated);
    }
  }

  #drawContent(): void {
    const content = this.#record?.result.content ?? "";
    // An error is a sentence, so its lines wrap.
    this.#content.classList.toggle("sentence", this.#record?.result.isError ?? false);
    this.#content.replaceChildren(this.#invisibles.checked ? showText(content) : content);
  }

  async #copyContent(): Promise<void> {
    const isCopied = await copyText(this.#record?.result.content ?? "");
    this.#announcement.textContent = isCopied ? "Copied" : "The browser refused to copy";
    this.#copy.textContent = isCopied ? "Copied" : "Refused";
    setTimeout(() => {
      this.#copy.textContent = "Copy";
    }, COPIED_MS);
  }
}

const COPIED_MS = 1500;

/** A box that scrolls needs its own tab stop, so that the keyboard reaches it. */
function makePre(label: string): HTMLPreElement {
  return makeElement("pre", {
    class: "code",
    tabindex: 0,
    role: "region",
    "aria-label": label,
    dir: "ltr",
  });
}

function describe({ toolName, result, roundTripMs }: CallRecord): string {
  return `${toolName}: ${outcome(result)}, ${formatMs(roundTripMs)}`;
}

function outcome(result: ToolResult): string {
  if (result.isError) {
    return `error ${result.error?.kind ?? ""}`;
  }
  const size = `${formatCount(sizeBytes(result.content))} bytes`;
  return result.truncated ? `${size}, truncated` : size;
}
