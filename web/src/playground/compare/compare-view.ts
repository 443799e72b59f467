/** The view in which the three listing tools answer about one directory, side by side. */

import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { CallText } from "../call-record.ts";
import type { PlaygroundState } from "../playground-state.ts";
import { CompareColumn } from "./compare-column.ts";
import { CompareForm } from "./compare-form.ts";
import {
  type Comparison,
  FIRST_COMPARISON,
  LISTING_TOOLS,
  type ListingTool,
  renderArguments,
} from "./comparison.ts";
import { type CallFailure, describeFailure, wordOutcome } from "./comparison-outcome.ts";
import { type ListedEntries, readEntries } from "./listed-entries.ts";
import { uniteEntries } from "./missing-entries.ts";
import { ToolWalk } from "./tool-walk.ts";

/** What the view needs of the page around it. */
export interface CompareHost {
  readonly session: Promise<PlaygroundState>;
  /** Resolves when no mount is under way. */
  readonly settled: () => Promise<unknown>;
  /** Another comparison is on show. */
  readonly onChange: () => void;
  /** Somebody wants one of the calls in the console. */
  readonly onOpenCall: (call: CallText) => void;
}

/** While many pages come in, the columns are drawn no more often than this. */
const DRAW_EVERY_MS = 250;

export class CompareView {
  readonly element: HTMLElement;
  readonly #host: CompareHost;
  readonly #form: CompareForm;
  readonly #columns = new Map<ListingTool, CompareColumn>();
  readonly #outcome = makeElement("p", { class: "help", role: "status" });
  readonly #walks = new Map<ListingTool, ToolWalk>();
  readonly #runs = new Map<ListingTool, AbortController>();
  #comparison = FIRST_COMPARISON;
  #comparing: AbortController | null = null;

  constructor(host: CompareHost) {
    this.#host = host;
    this.#form = new CompareForm({ onSubmit: (comparison) => void this.#compare(comparison) });
    this.#form.show(this.#comparison);
    for (const tool of LISTING_TOOLS) {
      const column = new CompareColumn(tool, {
        onAdvance: (pages) => void this.#goOn(tool, pages),
        onOpenCall: host.onOpenCall,
      });
      this.#columns.set(tool, column);
    }
    const columns = [...this.#columns.values()].map(({ element }) => element);
    this.element = makeElement(
      "div",
      { class: "compare" },
      makeElement("h2", {}, "One directory, as each tool lists it"),
      this.#form.element,
      this.#outcome,
      makeElement("div", { class: "compare-columns" }, ...columns),
    );
  }

  /** What is compared, or will be. */
  get comparison(): Comparison {
    return this.#comparison;
  }

  /** Takes over a comparison without making it. */
  setComparison(comparison: Comparison): void {
    this.#comparison = comparison;
    this.#form.show(comparison);
    this.forgetAnswers();
  }

  /** Begins at the top of a tree that took the place of the one before. */
  forget(): void {
    this.setComparison({ ...this.#comparison, directory: "" });
  }

  /** Stops what is under way and shows no answers: they are about another tree. */
  forgetAnswers(): void {
    this.#comparing?.abort();
    this.#comparing = null;
    for (const run of this.#runs.values()) {
      run.abort();
    }
    this.#walks.clear();
    this.#outcome.textContent = "";
    for (const column of this.#columns.values()) {
      column.setWalk(null);
      column.setRunning(false);
    }
  }

  /** Takes over a directory of the tree, and compares it at once where that is seen. */
  point(path: string, { isShown }: { readonly isShown: boolean }): void {
    const comparison = { ...this.#comparison, directory: escapePath(path) };
    if (isShown) {
      void this.#compare(comparison);
    } else {
      this.setComparison(comparison);
    }
  }

  /** Makes the comparison, unless it stands or is under way. */
  async begin(): Promise<void> {
    if (this.#comparing === null) {
      await this.#compare(this.#comparison);
    }
  }

  async #compare(comparison: Comparison): Promise<void> {
    this.setComparison(comparison);
    this.#host.onChange();
    const controller = new AbortController();
    const { signal } = controller;
    this.#comparing = controller;
    const session = await this.#waitForTree(signal);
    if (session === null) {
      return;
    }
    for (const tool of LISTING_TOOLS) {
      const first: CallText = {
        toolName: tool,
        argumentsText: renderArguments(tool, comparison),
        maxOutputBytes: comparison.maxOutputBytes,
      };
      const walk = new ToolWalk(first, (call, by) => session.call(call, by));
      this.#walks.set(tool, walk);
      this.#columns.get(tool)?.setWalk(walk);
    }
    // One after the other, as the one worker does them: so no time holds another tool's.
    const failures = new Map<ListingTool, CallFailure>();
    for (const tool of LISTING_TOOLS) {
      const failure = signal.aborted ? null : await this.#advance(tool, "next");
      if (failure !== null) {
        failures.set(tool, failure);
      }
    }
    if (!signal.aborted) {
      this.#outcome.textContent = wordOutcome(this.#walks, failures);
    }
  }

  /** Returns the session once it has a tree to compare; null where it has none, or nobody waits any more. */
  async #waitForTree(signal: AbortSignal): Promise<PlaygroundState | null> {
    let problem = "No tree is mounted yet";
    try {
      const session = await this.#host.session;
      await this.#host.settled();
      if (session.hasTree && !signal.aborted) {
        return session;
      }
    } catch (error) {
      problem = `Python did not start: ${sentenceOf(error)}`;
    }
    if (!signal.aborted) {
      this.#comparing = null;
      this.#outcome.textContent = problem;
    }
    return null;
  }

  async #goOn(tool: ListingTool, pages: "next" | "all" | null): Promise<void> {
    const failure = await this.#advance(tool, pages);
    if (failure !== null) {
      this.#outcome.textContent = failure.sentence;
    }
  }

  /** Has one tool go on by a page, or to the end; null stops it. Returns why a call failed. */
  async #advance(tool: ListingTool, pages: "next" | "all" | null): Promise<CallFailure | null> {
    this.#runs.get(tool)?.abort();
    const walk = this.#walks.get(tool);
    const column = this.#columns.get(tool);
    if (pages === null || walk === undefined || column === undefined) {
      return null;
    }
    const controller = new AbortController();
    this.#runs.set(tool, controller);
    column.setRunning(true);
    let failure: CallFailure | null = null;
    try {
      await this.#walkOn(walk, pages, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) {
        failure = describeFailure(tool, error);
      }
    }
    // Whoever came after has taken the column over.
    if (this.#runs.get(tool) === controller && this.#walks.get(tool) === walk) {
      column.setRunning(false);
      this.#draw();
      column.markUnanswered(failure?.word ?? "stopped");
    }
    return failure;
  }

  async #walkOn(walk: ToolWalk, pages: "next" | "all", signal: AbortSignal): Promise<void> {
    await walk.advance(signal);
    let drawnMs = performance.now();
    while (pages === "all" && walk.nextCall !== null && !signal.aborted) {
      if (performance.now() - drawnMs > DRAW_EVERY_MS) {
        this.#draw();
        drawnMs = performance.now();
      }
      await walk.advance(signal);
    }
  }

  #draw(): void {
    const listings = this.#readListings();
    const union = uniteEntries(listings.values());
    const tokens = [...this.#walks.values()].map(({ totals }) => totals.estimatedTokens);
    for (const [tool, column] of this.#columns) {
      const entries = listings.get(tool) ?? new Map();
      column.draw(entries, Math.max(...tokens));
      column.drawMissing(entries, union);
    }
  }

  #readListings(): ReadonlyMap<ListingTool, ListedEntries> {
    const listings = new Map<ListingTool, ListedEntries>();
    // The text last: what the others give as data says how it is to be read.
    for (const tool of ["LS", "list_directory", "list_dir"] as const) {
      const answers = this.#walks.get(tool)?.pages.map(({ result }) => result) ?? [];
      const known = new Set(uniteEntries(listings.values()).keys());
      listings.set(tool, readEntries(tool, answers, known));
    }
    return listings;
  }
}
