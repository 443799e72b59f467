/** The timeline: what you, the tour and a model asked, in the order in which it was asked. */

import { computed, type Signal, signal } from "@preact/signals";
import type { ToolResult } from "../../index.ts";
import type { CallText } from "../../ui/literals.ts";

/** Who made a call or wrote a text. */
export type Author = "you" | "tour" | "model";

export type CallStanding =
  | {
      readonly kind: "running";
      /** The progress, such as `4,300 of 20,000 entries`; empty if the number is unknown. */
      readonly amount: string;
    }
  | {
      readonly kind: "answered";
      readonly result: ToolResult;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly sentence: string };

interface Item {
  /** Names the item on this page; counts from 1. */
  readonly number: number;
  readonly by: Author;
}

/** A call; `stop` does nothing once it has ended. */
export interface CallItem extends Item, CallText {
  readonly kind: "call";
  /** The number of the tree that it ran on; `MountedTree.number`. */
  readonly treeNumber: number;
  readonly treeName: string;
  readonly startedAtMs: number;
  readonly standing: Signal<CallStanding>;
  /** True if the visitor chose it for a comparison. */
  readonly isChosen: Signal<boolean>;
  readonly stop: () => void;
}

/** A text: a question, an answer in Markdown, a note in plain text, or why something failed. */
export interface TextItem extends Item {
  readonly kind: "question" | "answer" | "note" | "problem";
  /** Grows while a model answers. */
  readonly text: Signal<string>;
}

/** A call that waits for the visitor's consent; null before the decision. */
export interface ConsentItem extends Item {
  readonly kind: "consent";
  readonly sentence: string;
  readonly isAllowed: Signal<boolean | null>;
  readonly decide: (isAllowed: boolean) => void;
}

/** The review of what is proposed, after the call or the turn that last changed something. */
export interface ReviewItem extends Item {
  readonly kind: "review";
}

export type TimelineItem = CallItem | TextItem | ConsentItem | ReviewItem;

/** A step of the tour, by the numbers of its words and of those of the step after it. */
export interface ShownStep {
  readonly first: number;
  readonly next: number;
}

/** An item before the timeline numbers it. */
type Unnumbered<Each> = Each extends TimelineItem ? Omit<Each, "number"> : never;

/** Holds the items; the newest is last. */
export class Timeline {
  readonly items = signal<readonly TimelineItem[]>([]);
  readonly calls = computed(() => this.items.value.filter((item) => item.kind === "call"));
  /** The calls that the visitor chose for a comparison. */
  readonly chosenCalls = computed(() => this.calls.value.filter(({ isChosen }) => isChosen.value));
  /** The items of the tour's step that is shown again; null while the newest item is shown. */
  readonly shownStep = signal<ShownStep | null>(null);
  /** The number of the visitor's or the tour's newest call, or that of `shownStep`; 0 without one. */
  readonly openCall = computed(() => {
    const { first, next } = this.shownStep.value ?? { first: 0, next: Number.POSITIVE_INFINITY };
    // A model makes too many calls to open each.
    const own = this.calls.value.filter(({ by }) => by !== "model");
    return own.filter(({ number }) => number > first && number < next).at(-1)?.number ?? 0;
  });
  /** The first call that has not ended yet. */
  readonly runningCall = computed(() =>
    this.calls.value.find(({ standing }) => standing.value.kind === "running"),
  );
  /** The words that a screen reader speaks about the items. */
  readonly announcement = signal("");
  #count = 0;

  /** Adds an item at the end, and returns it with its number. */
  add<Each extends Unnumbered<TimelineItem>>(item: Each): Each & { readonly number: number } {
    this.#count += 1;
    this.shownStep.value = null;
    const numbered = { ...item, number: this.#count };
    // The compiler does not see that a numbered item is one of the union.
    this.items.value = [...this.items.value, numbered as unknown as TimelineItem];
    return numbered;
  }

  /** Adds a text, and returns it so that it can grow. */
  addText(kind: TextItem["kind"], by: Author, text: string): TextItem {
    return this.add({ kind, by, text: signal(text) } as const);
  }

  /** Ends the timeline with the review; there is one, which moves and stays what it was. */
  addReview(by: Author): void {
    const others = this.items.value.filter(({ kind }) => kind !== "review");
    const review = this.items.value.find(({ kind }) => kind === "review");
    if (review === undefined) {
      this.add({ kind: "review", by } as const);
    } else {
      this.items.value = [...others, { ...review, by }];
    }
  }

  /** Drops every item, or every item but the review. */
  clear({ keepsReview = false }: { readonly keepsReview?: boolean } = {}): void {
    this.items.value = this.items.value.filter(({ kind }) => keepsReview && kind === "review");
  }
}
