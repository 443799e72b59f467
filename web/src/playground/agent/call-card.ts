/** One call in the transcript: its arguments, the answer that the model got, and the answer's size. */

import { formatCount, formatMs } from "../../page-parts/format-quantities.ts";
import { escapeJson, showText } from "../../page-parts/hostile-characters.ts";
import { parseJsonObject, renderJson } from "../../page-parts/json.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { RequestedCall } from "./agent-model.ts";
import { isChanging } from "./model-tools.ts";
import type { ReplayedCall } from "./replay.ts";
import type { CallEntry } from "./transcript.ts";

const OUTCOME_WORDS = {
  answered: "",
  refused: "not approved",
  unknown: "no such tool",
  failed: "not made",
  aborted: "stopped",
} as const satisfies Record<CallEntry["outcome"], string>;

const VERDICT_WORDS = {
  same: "Replayed: the same answer.",
  differs:
    "Replayed: a different answer. Lines with - are the old ones, lines with + the new ones.",
  skipped: "Not replayed: no tool answered at the time, or the call would change files.",
} as const satisfies Record<ReplayedCall["verdict"], string>;

/** A line with two boxes; shown when the model requests the call, filled when the call ends. */
export class CallCard {
  readonly element: HTMLElement;
  readonly #label: string;
  readonly #figures = makeElement("span", { class: "agent-figures figure" }, "running");
  readonly #dot = makeElement("span", { class: "dot waiting" });
  readonly #outcome = makeElement("div", { class: "agent-outcome" });
  readonly #onOpen: ((entry: CallEntry) => void) | undefined;

  /** `number` is the call's position in the transcript; it makes the names of the boxes unique. */
  constructor(call: RequestedCall, number: number, onOpen?: (entry: CallEntry) => void) {
    this.#onOpen = onOpen;
    this.#label = `call ${number}, ${escapeJson(call.name)}`;
    const name = makeElement("span", { class: "agent-call-name" });
    name.append(showText(call.name));
    this.element = makeElement(
      "li",
      { class: "agent-call" },
      makeElement("div", { class: "agent-call-head" }, this.#dot, name, this.#figures),
      makeBox(`Arguments of ${this.#label}`, spellArguments(call.arguments)),
      this.#outcome,
    );
  }

  /** Shows the result of the call. */
  finish(entry: CallEntry): void {
    this.#dot.className = entry.isError ? "dot failed" : "dot";
    this.#figures.replaceChildren(...wordFigures(entry));
    const parts: (Node | string)[] = [];
    if (entry.text !== "") {
      parts.push(makeBox(`Result of ${this.#label}`, entry.text));
    }
    parts.push(this.#makeFoot(entry));
    this.#outcome.replaceChildren(...parts);
  }

  /** Shows the answer to the same call on the mounted tree. */
  showReplay({ verdict, difference }: ReplayedCall): void {
    this.#outcome.querySelector(".agent-replay")?.remove();
    const line = makeElement("p", { "data-verdict": verdict }, VERDICT_WORDS[verdict]);
    const replayed = makeElement("div", { class: "agent-replay" }, line);
    if (difference !== null) {
      replayed.append(makeBox(`Difference of ${this.#label}`, difference));
    }
    this.#outcome.append(replayed);
  }

  #makeFoot(entry: CallEntry): HTMLElement {
    const foot = makeElement("div", { class: "agent-call-foot" });
    if (entry.nextArguments !== null) {
      const next = escapeJson(JSON.stringify(entry.nextArguments));
      foot.append(makeElement("span", { class: "agent-next" }, `next: ${next}`));
    }
    const open = this.#onOpen;
    // The console has no tool that changes.
    if (open !== undefined && entry.tool !== null && !isChanging(entry.tool)) {
      const button = makeElement(
        "button",
        { type: "button", "aria-label": `Open in console: ${this.#label}` },
        "Open in console",
      );
      button.addEventListener("click", () => open(entry));
      foot.append(button);
    }
    return foot;
  }
}

function wordFigures(entry: CallEntry): readonly (Node | string)[] {
  const { outcome, isError, truncated, sizeBytes, estimatedTokens, elapsedMs } = entry;
  const words = OUTCOME_WORDS[outcome] || (isError ? "error" : "ok");
  const size = `${formatCount(sizeBytes)} B, about ${formatCount(estimatedTokens)} tokens`;
  const cut = truncated ? [makeElement("span", { class: "warned" }, "truncated"), " · "] : [];
  return [`${words} · ${size} · `, ...cut, formatMs(elapsedMs)];
}

/** Longer arguments appear one per line. */
const MAX_LINE_CHARACTERS = 120;

function spellArguments(args: unknown): string {
  const text = typeof args === "string" ? args : (JSON.stringify(args) ?? "");
  const values = parseJsonObject(text);
  const isLong = text.length > MAX_LINE_CHARACTERS;
  return escapeJson(isLong && values !== null ? renderJson(values) : text);
}

/** A box that scrolls needs its own tab stop, so that the keyboard reaches it. */
function makeBox(label: string, text: string): HTMLElement {
  const box = makeElement("pre", {
    class: "code",
    tabindex: 0,
    role: "region",
    "aria-label": label,
    dir: "ltr",
  });
  box.append(showText(text));
  return box;
}
