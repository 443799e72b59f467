/** The answer, recorded or live, and the line below it. */
import type { ToolResult } from "../index.ts";
import { formatCounted, formatMs } from "../ui/format-quantities.ts";
import { escapeJson } from "../ui/hostile-characters.ts";
import { parseJsonObject, renderJson } from "../ui/json.ts";
import { makeElement } from "../ui/make-element.ts";

export interface AnswerViewActions {
  /** The reader asked for the next page; these are the arguments that get it. */
  readonly onNextPage: (nextArguments: object) => void;
  /** The text of the shown answer changed to `content`. */
  readonly onContent: (content: string) => void;
}

const utf8 = new TextEncoder();

/** Shows a live answer; without one, the element's own content. */
export class AnswerView {
  readonly element: HTMLElement;
  readonly #slot = makeElement("slot");
  readonly #live = makeElement("pre", { part: "answer", dir: "ltr" });
  readonly #scroll = makeElement(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": "Answer" },
    this.#slot,
    this.#live,
  );
  readonly #figures = makeElement("span", { class: "figures", part: "figures" });
  readonly #formatted = makeElement("input", { type: "checkbox" });
  readonly #format = makeElement("label", {}, this.#formatted, "Formatted");
  readonly #nextPage = makeElement("button", { type: "button", part: "button next-page" });
  readonly #warnings = makeElement("ul", {
    class: "warnings",
    part: "warnings",
    "aria-label": "Warnings",
  });
  readonly #footer = makeElement(
    "div",
    { class: "footer", part: "footer" },
    this.#figures,
    this.#format,
    this.#nextPage,
    this.#warnings,
  );
  readonly #onContent: (content: string) => void;
  #result: ToolResult | null = null;

  constructor({ onNextPage, onContent }: AnswerViewActions) {
    this.#onContent = onContent;
    this.element = makeElement("div", { class: "answer-side" }, this.#scroll, this.#footer);
    this.#nextPage.textContent = "Next page";
    this.#nextPage.addEventListener("click", () => {
      const next = this.#result?.nextArguments;
      if (next) {
        // The next answer may hide the button, so the focus moves to the text first.
        this.#scroll.focus({ preventScroll: true });
        onNextPage(next);
      }
    });
    this.#formatted.addEventListener("change", () => this.#drawContent());
    this.#slot.addEventListener("slotchange", () => this.#draw());
    this.#draw();
  }

  /** The text of the shown answer; empty if no answer is shown. */
  get content(): string {
    return this.#result?.content ?? this.#recorded?.textContent ?? "";
  }

  /** Shows a live answer; null shows the element's own content again. */
  show(result: ToolResult | null): void {
    this.#result = result;
    this.#scroll.scrollTop = 0;
    this.#draw();
  }

  set isBusy(isBusy: boolean) {
    this.#scroll.setAttribute("aria-busy", String(isBusy));
  }

  get #recorded(): Element | null {
    const found = this.#slot
      .assignedElements()
      .find((element) => element.matches("pre[data-recorded]"));
    return found ?? null;
  }

  #draw(): void {
    const result = this.#result;
    this.#figures.textContent = result === null ? this.#wordRecorded() : wordResult(result);
    this.#footer.classList.toggle("failed", result?.isError ?? false);
    this.#nextPage.hidden = !result?.nextArguments;
    const warnings = result?.warnings ?? [];
    this.#warnings.replaceChildren(...warnings.map((text) => makeElement("li", {}, text)));
    this.#warnings.hidden = warnings.length === 0;
    this.#format.hidden = parseJsonObject(this.content) === null;
    this.#footer.hidden = result === null && this.#recorded === null;
    this.#onContent(this.content);
    this.#drawContent();
  }

  #drawContent(): void {
    const listing = this.#formatted.checked ? parseJsonObject(this.content) : null;
    const isStatic = this.#result === null && listing === null;
    this.#slot.hidden = !isStatic;
    this.#live.hidden = isStatic;
    this.#live.textContent =
      listing === null ? (this.#result?.content ?? "") : escapeJson(renderJson(listing));
    const isError = this.#result?.isError ?? this.#recorded?.matches("[data-is-error]") ?? false;
    this.#live.className = isError ? "error" : "";
    this.#scroll.hidden = isStatic && this.#slot.assignedNodes().every(isUnseen);
  }

  #wordRecorded(): string {
    return this.#recorded === null ? "" : "Recorded answer";
  }
}

/** Returns an error's kind, the size, the time and whether the answer was truncated, in words. */
export function wordResult({ content, isError, error, elapsedMs, truncated }: ToolResult): string {
  const words = [
    ...(isError ? [`error ${error?.kind ?? ""}`.trim()] : []),
    formatCounted(utf8.encode(content).byteLength, "byte"),
    formatMs(elapsedMs),
    ...(truncated ? ["truncated"] : []),
  ];
  return words.join(" \u00b7 ");
}

function isUnseen(node: Node): boolean {
  return node instanceof Element
    ? node.matches("script, style, template")
    : node.textContent?.trim() === "";
}
