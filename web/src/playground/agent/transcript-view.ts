/** The conversation as a list: questions, turns, calls, and the page's notices. */

import { formatCounted, formatMs } from "../../page-parts/format-quantities.ts";
import { showText } from "../../page-parts/hostile-characters.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { RequestedCall } from "./agent-model.ts";
import { CallCard } from "./call-card.ts";
import { findProvider } from "./providers.ts";
import type {
  CallEntry,
  ConversationEntry,
  NoticeEntry,
  TranscriptEntry,
  TurnEntry,
} from "./transcript.ts";

/** A turn whose text is still arriving. */
export interface OpenTurn {
  append(delta: string): void;
  end(turn: Omit<TurnEntry, "type">): void;
}

/** Shows the words of models and trees only as text, never as markup. */
export class TranscriptView {
  readonly element = makeElement("ol", {
    class: "agent-transcript",
    "aria-label": "Transcript",
    tabindex: 0,
  });
  readonly #onOpen: ((entry: CallEntry) => void) | undefined;
  #callCount = 0;
  #isFilling = false;

  constructor(onOpen?: (entry: CallEntry) => void) {
    this.#onOpen = onOpen;
  }

  clear(): void {
    this.#callCount = 0;
    this.element.replaceChildren();
  }

  /** Shows a whole transcript; returns its cards by the index of their entries. */
  showAll(entries: readonly TranscriptEntry[]): ReadonlyMap<number, CallCard> {
    this.clear();
    const cards = new Map<number, CallCard>();
    // Do not measure after each entry: each measurement forces a layout, and there may be thousands.
    this.#isFilling = true;
    for (const [index, entry] of entries.entries()) {
      if (entry.type === "call") {
        const card = this.addCall(entry);
        card.finish(entry);
        cards.set(index, card);
      } else if (entry.type === "turn") {
        this.#showTurn(entry);
      } else if (entry.type === "question") {
        this.addQuestion(entry.text);
      } else if (entry.type === "notice") {
        this.addNotice(entry);
      } else {
        this.addConversation(entry);
      }
    }
    this.#isFilling = false;
    this.#follow(true);
    return cards;
  }

  addConversation({ provider, model, origin, tree }: ConversationEntry): void {
    const where = [model, origin].filter((part) => part !== null && part !== "").join(" at ");
    const { name, label } = findProvider(provider);
    const who = name === provider ? label : provider;
    const about = tree === null ? "" : ` · ${tree}`;
    this.#addText("agent-conversation-mark", `${where === "" ? who : `${who}: ${where}`}${about}`);
  }

  addQuestion(text: string): void {
    this.#addText("agent-question-text", text, "You");
  }

  addNotice({ kind, text }: NoticeEntry): void {
    this.#addText(
      kind === "retry" || kind === "note" ? "agent-notice" : "agent-notice warned",
      text,
    );
  }

  /** Puts the review of the changes at the end; moves it there, if it is on show. */
  addReview(review: HTMLElement): void {
    review.closest("li")?.remove();
    this.#append(makeElement("li", { class: "agent-review" }, review));
  }

  openTurn(): OpenTurn {
    const text = makeElement("p", { class: "agent-turn-text" });
    const head = makeElement("p", { class: "agent-speaker" }, "Agent");
    const item = makeElement("li", { class: "agent-turn", "aria-busy": "true" }, head, text);
    this.#append(item);
    return {
      append: (delta) => {
        const isAtEnd = this.#isAtEnd();
        text.append(delta);
        this.#follow(isAtEnd);
      },
      end: (turn) => {
        const isAtEnd = this.#isAtEnd();
        item.removeAttribute("aria-busy");
        // Mark invisible characters only now, since a sequence may arrive in two parts.
        text.replaceChildren(showText(turn.text));
        head.append(makeElement("span", { class: "agent-figures figure" }, wordTurn(turn)));
        this.#follow(isAtEnd);
      },
    };
  }

  addCall(call: RequestedCall): CallCard {
    this.#callCount += 1;
    const card = new CallCard(call, this.#callCount, this.#onOpen);
    this.#append(card.element);
    return card;
  }

  /** Makes a change, and keeps the end in view if it was in view. */
  keepEndInSight(change: () => void): void {
    const isAtEnd = this.#isAtEnd();
    change();
    this.#follow(isAtEnd);
  }

  #showTurn(entry: TurnEntry): void {
    const turn = this.openTurn();
    turn.end(entry);
  }

  #addText(className: string, text: string, speaker?: string): void {
    const paragraph = makeElement("p", {});
    paragraph.append(showText(text));
    const head =
      speaker === undefined ? [] : [makeElement("p", { class: "agent-speaker" }, speaker)];
    this.#append(makeElement("li", { class: className }, ...head, paragraph));
  }

  #append(item: HTMLElement): void {
    const isAtEnd = this.#isAtEnd();
    this.element.append(item);
    this.#follow(isAtEnd);
  }

  #isAtEnd(): boolean {
    if (this.#isFilling) {
      return false;
    }
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const isScrolledDown = scrollTop + clientHeight >= scrollHeight - END_MARGIN_PX;
    return isScrolledDown && this.#hiddenPx() <= END_MARGIN_PX;
  }

  /** The height of the end that the question form covers: on phones, the page scrolls below the form. */
  #hiddenPx(): number {
    const foot = this.element.nextElementSibling?.getBoundingClientRect();
    const { bottom } = this.element.getBoundingClientRect();
    return foot === undefined ? 0 : Math.max(0, bottom - foot.top);
  }

  #follow(isAtEnd: boolean): void {
    if (isAtEnd) {
      this.element.scrollTop = this.element.scrollHeight;
      // Never smoothly: the next part would arrive during the animation.
      window.scrollBy({ top: this.#hiddenPx(), behavior: "instant" });
    }
  }
}

const END_MARGIN_PX = 48;

function wordTurn({ callCount, isWhole, elapsedMs }: Omit<TurnEntry, "type">): string {
  const parts = [
    ...(isWhole ? [] : ["incomplete"]),
    ...(callCount > 0 ? [formatCounted(callCount, "call")] : []),
    formatMs(elapsedMs),
  ];
  return parts.join(" · ");
}
