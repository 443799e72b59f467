/** The list of the latest calls; a click on one shows its result again. */

import { formatMs } from "../page-parts/format-quantities.ts";
import { escapeJson } from "../page-parts/hostile-characters.ts";
import { parseJsonObject } from "../page-parts/json.ts";
import { findElement, makeElement } from "../page-parts/make-element.ts";
import type { CallRecord } from "./call-record.ts";

const MAX_CALLS = 30;

export class CallHistory {
  readonly #list = makeElement("ol", { class: "history-list", reversed: true });
  readonly #onChoose: (record: CallRecord) => void;

  constructor(onChoose: (record: CallRecord) => void) {
    this.#onChoose = onChoose;
    findElement("call-history", HTMLElement).append(
      makeElement("h3", { id: "history-heading" }, "Calls"),
      this.#list,
    );
    this.#list.setAttribute("aria-labelledby", "history-heading");
  }

  /** Adds a call at the top and marks it as the shown one. */
  add(record: CallRecord): void {
    const button = makeElement(
      "button",
      { type: "button" },
      makeElement("span", { class: record.result.isError ? "dot failed" : "dot" }),
      makeElement("span", { class: "visually-hidden" }, record.result.isError ? "error: " : ""),
      makeElement("span", { class: "history-tool" }, record.toolName),
      makeElement("span", { class: "history-arguments" }, renderArguments(record)),
      makeElement("span", { class: "figure" }, formatMs(record.roundTripMs)),
    );
    button.addEventListener("click", () => {
      this.#mark(button);
      this.#onChoose(record);
    });
    this.#list.prepend(makeElement("li", {}, button));
    this.#list.children[MAX_CALLS]?.remove();
    this.#mark(button);
  }

  #mark(chosen: HTMLButtonElement): void {
    for (const button of this.#list.querySelectorAll("button")) {
      button.removeAttribute("aria-current");
    }
    chosen.setAttribute("aria-current", "true");
  }
}

function renderArguments({ argumentsText }: CallRecord): string {
  const values = parseJsonObject(argumentsText);
  return escapeJson(values === null ? argumentsText : JSON.stringify(values));
}
