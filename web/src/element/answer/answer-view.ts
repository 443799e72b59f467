/** The answer, recorded or live, and the line below it. */
import type { ToolResult } from "../../index.ts";
import { formatCounted, formatMs } from "../../ui/format-quantities.ts";
import type { AnsweredCall } from "../../ui/found-matches.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import type { DemoAnswerView } from "../attributes.ts";
import { drawRows, type ReadableAnswer, readAnswer, resultOf } from "./read-answer.ts";

export interface AnswerViewActions {
  /** Returns the call that the recorded answer is of, or that was answered last. */
  readonly readCall: () => Omit<AnsweredCall, "result">;
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
  readonly #readable = makeElement("div", { class: "readable", part: "readable" });
  readonly #empty = makeElement("p", { class: "empty" }, "Press Run to see the answer.");
  readonly #scroll = makeElement(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": "Answer" },
    this.#slot,
    this.#live,
    this.#readable,
    this.#empty,
  );
  readonly #figures = makeElement("span", { class: "figures", part: "figures" });
  readonly #exact = makeElement("input", { type: "checkbox" });
  readonly #exactChoice = makeElement("label", {}, this.#exact, "As the model reads it");
  readonly #nextPage = makeButton("Next page", () => this.#askNextPage(), {
    part: "button next-page",
  });
  readonly #warnings = makeElement("ul", {
    class: "warnings",
    part: "warnings",
    "aria-label": "Warnings",
  });
  readonly #footer = makeElement(
    "div",
    { class: "footer", part: "footer" },
    this.#figures,
    this.#exactChoice,
    this.#nextPage,
    this.#warnings,
  );
  readonly #actions: AnswerViewActions;
  #result: ToolResult | null = null;

  constructor(actions: AnswerViewActions) {
    this.#actions = actions;
    this.element = makeElement("div", { class: "answer-side" }, this.#scroll, this.#footer);
    this.#exact.addEventListener("change", () => this.#draw());
    this.#slot.addEventListener("slotchange", () => this.#draw());
  }

  get content(): string {
    return this.#result?.content ?? this.#recorded?.textContent ?? "";
  }

  set view(view: DemoAnswerView) {
    this.#exact.checked = view === "model";
    this.#draw();
  }

  /** Shows a live answer; null shows the element's own content again. */
  show(result: ToolResult | null): void {
    this.#result = result;
    this.#scroll.scrollTop = 0;
    if (result === null) {
      this.#scroll.style.minHeight = "";
    }
    this.#draw();
  }

  set isBusy(isBusy: boolean) {
    this.#scroll.setAttribute("aria-busy", String(isBusy));
    if (isBusy) {
      // The page below stays where it is if the next answer is shorter.
      this.#scroll.style.minHeight = `${this.#scroll.offsetHeight}px`;
    }
  }

  get #recorded(): Element | null {
    const found = this.#slot
      .assignedElements()
      .find((element) => element.matches("pre[data-recorded]"));
    return found ?? null;
  }

  #askNextPage(): void {
    const next = this.#result?.nextArguments;
    if (next) {
      // The next answer may hide the button, so the focus moves to the text first.
      this.#scroll.focus({ preventScroll: true });
      this.#actions.onNextPage(next);
    }
  }

  #draw(): void {
    const result = this.#result;
    const recorded = this.#recorded;
    this.#figures.textContent = result === null ? "Recorded answer" : wordResult(result);
    this.#footer.classList.toggle("failed", result?.isError ?? false);
    this.#nextPage.hidden = !result?.nextArguments;
    const warnings = result?.warnings ?? [];
    this.#warnings.replaceChildren(...warnings.map((text) => makeElement("li", {}, text)));
    this.#warnings.hidden = warnings.length === 0;
    this.#footer.hidden = result === null && recorded === null;
    this.#actions.onContent(this.content);
    this.#drawContent(result, recorded);
  }

  #drawContent(result: ToolResult | null, recorded: Element | null): void {
    const isError = result?.isError ?? recorded?.matches("[data-is-error]") ?? false;
    const answer = result ?? (recorded && resultOf(this.content, isError));
    const readable = answer && readAnswer({ ...this.#actions.readCall(), result: answer });
    const isReadable = readable !== null && !this.#exact.checked;
    this.#exactChoice.hidden = readable === null;
    this.#readable.hidden = !isReadable;
    this.#readable.replaceChildren(...(isReadable ? drawReadable(readable) : []));
    this.#slot.hidden = result !== null || isReadable;
    this.#live.hidden = result === null || isReadable;
    this.#live.textContent = result?.content ?? "";
    this.#live.className = isError ? "error" : "";
    this.#readable.classList.toggle("error", isError);
    this.#empty.hidden = result !== null || !this.#slot.assignedNodes().every(isUnseen);
  }
}

function drawReadable(answer: ReadableAnswer): readonly HTMLElement[] {
  return answer.kind === "rows"
    ? drawRows(answer.rows)
    : [makeElement("pre", { dir: "ltr" }, answer.text || "The answer is empty.")];
}

export function wordResult({ content, isError, elapsedMs, truncated }: ToolResult): string {
  const words = [
    ...(isError ? ["error"] : []),
    formatCounted(utf8.encode(content).byteLength, "byte"),
    formatMs(elapsedMs),
    ...(truncated ? ["truncated"] : []),
  ];
  return words.join(" \u00b7 ");
}

function isUnseen(node: Node): boolean {
  return node instanceof Element
    ? node.matches("script, style, template, code.call")
    : node.textContent?.trim() === "";
}
