/** The view in which three tools list or search one directory, side by side. */

import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { CallText } from "../call-record.ts";
import type { PlaygroundState } from "../playground-state.ts";
import { CompareColumn } from "./compare-column.ts";
import { CompareForm } from "./compare-form.ts";
import {
  type ComparedTool,
  type Comparison,
  FIRST_COMPARISON,
  LISTING_TOOLS,
  renderArguments,
  SEARCHING_TOOLS,
  toolsOf,
} from "./comparison.ts";
import { type CallFailure, describeFailure, wordOutcome } from "./comparison-outcome.ts";
import { type ListedEntries, readEntries, readFound } from "./listed-entries.ts";
import { uniteEntries } from "./missing-entries.ts";
import { ToolWalk } from "./tool-walk.ts";

/** The services that the view needs from the page. */
export interface CompareHost {
  readonly session: Promise<PlaygroundState>;
  /** Resolves when no mount is under way. */
  readonly settled: () => Promise<unknown>;
  /** The shown comparison has changed. */
  readonly onChange: () => void;
  /** The visitor wants to open one of the calls in the console. */
  readonly onOpenCall: (call: CallText) => void;
}

/** The least time between two updates of the columns while pages arrive. */
const DRAW_EVERY_MS = 250;

export class CompareView {
  readonly element: HTMLElement;
  readonly #host: CompareHost;
  readonly #form: CompareForm;
  readonly #columns = new Map<ComparedTool, CompareColumn>();
  readonly #outcome = makeElement("p", { class: "help", role: "status" });
  readonly #walks = new Map<ComparedTool, ToolWalk>();
  readonly #runs = new Map<ComparedTool, AbortController>();
  #comparison = FIRST_COMPARISON;
  #comparing: AbortController | null = null;

  constructor(host: CompareHost) {
    this.#host = host;
    this.#form = new CompareForm({ onSubmit: (comparison) => void this.#compare(comparison) });
    this.#form.show(this.#comparison);
    for (const tool of [...LISTING_TOOLS, ...SEARCHING_TOOLS]) {
      const column = new CompareColumn(tool, {
        onAdvance: (pages) => void this.#goOn(tool, pages),
        onOpenCall: host.onOpenCall,
      });
      this.#columns.set(tool, column);
    }
    this.#showColumns();
    const columns = [...this.#columns.values()].map(({ element }) => element);
    this.element = makeElement(
      "div",
      { class: "compare" },
      makeElement("h2", {}, "One directory, as each tool lists or searches it"),
      this.#form.element,
      this.#outcome,
      makeElement("div", { class: "compare-columns" }, ...columns),
    );
  }

  /** The current or next comparison. */
  get comparison(): Comparison {
    return this.#comparison;
  }

  /** Sets the comparison without making its calls. */
  setComparison(comparison: Comparison): void {
    this.#comparison = comparison;
    this.#form.show(comparison);
    this.#showColumns();
    this.forgetAnswers();
  }

  /** Resets the comparison to the root of a newly mounted tree. */
  forget(): void {
    this.setComparison({ ...this.#comparison, directory: "" });
  }

  /** Stops running calls and removes the answers, which are about another tree. */
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

  /** Sets the directory to compare, and compares it at once if the view is shown. */
  point(path: string, { isShown }: { readonly isShown: boolean }): void {
    const comparison = { ...this.#comparison, directory: escapePath(path) };
    if (isShown) {
      void this.#compare(comparison);
    } else {
      this.setComparison(comparison);
    }
  }

  /** Makes the comparison, unless it is already shown or running. */
  async begin(): Promise<void> {
    if (this.#comparing === null) {
      await this.#compare(this.#comparison);
    }
  }

  #showColumns(): void {
    const tools = toolsOf(this.#comparison);
    for (const [tool, { element }] of this.#columns) {
      element.hidden = !tools.includes(tool);
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
    const tools = toolsOf(comparison);
    for (const tool of tools) {
      const first: CallText = {
        toolName: tool,
        argumentsText: renderArguments(tool, comparison),
        maxOutputBytes: comparison.maxOutputBytes,
      };
      const walk = new ToolWalk(first, (call, by) => session.call(call, by));
      this.#walks.set(tool, walk);
      this.#columns.get(tool)?.setWalk(walk);
    }
    // One after the other, since there is one worker: so no tool's time includes another's.
    const failures = new Map<ComparedTool, CallFailure>();
    for (const tool of tools) {
      const failure = signal.aborted ? null : await this.#advance(tool, "next");
      if (failure !== null) {
        failures.set(tool, failure);
      }
    }
    if (!signal.aborted) {
      this.#outcome.textContent = wordOutcome(tools, this.#walks, failures);
    }
  }

  /** Resolves with the session once a tree is mounted; null if there is no tree, or after an abort. */
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

  async #goOn(tool: ComparedTool, pages: "next" | "all" | null): Promise<void> {
    const failure = await this.#advance(tool, pages);
    if (failure !== null) {
      this.#outcome.textContent = failure.sentence;
    }
  }

  /** Loads one tool's next page or all its pages; null stops it. Resolves with the failure of a call. */
  async #advance(tool: ComparedTool, pages: "next" | "all" | null): Promise<CallFailure | null> {
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
    // A later task may control the column now.
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

  #readListings(): ReadonlyMap<ComparedTool, ListedEntries> {
    const listings = new Map<ComparedTool, ListedEntries>();
    if (this.#comparison.pattern !== "") {
      for (const tool of SEARCHING_TOOLS) {
        const pages = this.#walks.get(tool)?.pages ?? [];
        listings.set(tool, readFound(pages, this.#comparison.directory));
      }
      return listings;
    }
    // Read list_dir's text last: the other tools' data resolves its ambiguous names.
    for (const tool of ["LS", "list_directory", "list_dir"] as const) {
      const answers = this.#walks.get(tool)?.pages.map(({ result }) => result) ?? [];
      const known = new Set(uniteEntries(listings.values()).keys());
      listings.set(tool, readEntries(tool, answers, known));
    }
    return listings;
  }
}
