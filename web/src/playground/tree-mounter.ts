/** Mounts one tree after the other; shows progress, a button to cancel, and the report or error. */

import type { MountReport, TimedProgressEvent } from "../index.ts";
import { escapePath } from "../lib/spelling.ts";
import { findElement } from "../page-parts/make-element.ts";
import { wordProgress } from "../page-parts/progress-words.ts";
import type { ChosenTree } from "./chosen-tree.ts";
import { explainMountFailure } from "./mount-failure.ts";
import { renderMountReport } from "./mount-report-view.ts";
import type { PlaygroundState } from "./playground-state.ts";
import type { Sections } from "./sections.ts";
import { SAMPLE_TREE } from "./source-chooser.ts";
import type { StatusLine } from "./status-line.ts";

export interface TreeMounterParts {
  readonly session: Promise<PlaygroundState>;
  readonly status: StatusLine;
  readonly sections: Sections;
}

export interface TreeMounterActions {
  /** A new tree is mounted. */
  readonly onMounted: () => Promise<void>;
  /** The tree is gone, and no tree is mounted. */
  readonly onLost: () => void;
}

/** The abort reason when the visitor cancels; a later choice aborts without a reason. */
const CANCELLED = "cancelled by the visitor";

export class TreeMounter {
  readonly #parts: TreeMounterParts;
  readonly #actions: TreeMounterActions;
  readonly #cancel = findElement("cancel-mount", HTMLButtonElement);
  readonly #report = findElement("mount-report", HTMLElement);
  #mounting: AbortController | null = null;
  #hasMounted = false;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(parts: TreeMounterParts, actions: TreeMounterActions) {
    this.#parts = parts;
    this.#actions = actions;
    this.#cancel.addEventListener("click", () => {
      this.#mounting?.abort(CANCELLED);
      parts.status.advance({ phase: "Cancelling", amount: "" });
    });
  }

  /** Resolves when no mount runs: an earlier call would find no tree. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /** Resolves with whether the tree is mounted; false if it failed, was cancelled, or was replaced. */
  mount(choice: ChosenTree): Promise<boolean> {
    this.#mounting?.abort();
    const controller = new AbortController();
    this.#mounting = controller;
    // One after the other: an abandoned mount must first restore the old tree.
    const mounting = this.#settled.then(() => this.#mountNow(choice, controller.signal));
    this.#settled = mounting;
    return mounting;
  }

  /** Says why the choice is not mounted; an empty sentence clears the message. */
  refuse(sentence: string): void {
    findElement("mount-error", HTMLElement).textContent = sentence;
    if (sentence !== "") {
      this.#parts.sections.show("tree");
    }
  }

  async #mountNow(choice: ChosenTree, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) {
      return false;
    }
    try {
      const session = await this.#parts.session;
      // For the sample, the clock of the page's start runs on.
      if (this.#hasMounted || choice !== SAMPLE_TREE) {
        this.#parts.status.begin(`Opening ${escapePath(choice.name)}`);
      }
      this.#hasMounted = true;
      this.#cancel.hidden = false;
      this.refuse("");
      const report = await session.mount(choice, (event) => this.#advance(event, signal), signal);
      this.#hideCancel();
      await this.#show(choice, report);
      return true;
    } catch (error) {
      await this.#showFailure(choice, error, signal);
      return false;
    } finally {
      this.#hideCancel();
    }
  }

  #advance(event: TimedProgressEvent, signal: AbortSignal): void {
    const words = wordProgress(event);
    if (words !== null && !signal.aborted) {
      this.#parts.status.advance(words, event.loaded, event.total);
    }
  }

  async #show(choice: ChosenTree, report: MountReport): Promise<void> {
    this.#report.replaceChildren(renderMountReport(choice.name, report));
    this.#parts.status.finish("ready", "Ready");
    await this.#actions.onMounted();
  }

  async #showFailure(choice: ChosenTree, error: unknown, signal: AbortSignal): Promise<void> {
    const session = await this.#parts.session.catch(() => null);
    const isCancelled = signal.reason === CANCELLED;
    if (session === null || (signal.aborted && !isCancelled)) {
      return;
    }
    if (!isCancelled) {
      this.refuse(`${escapePath(choice.name)} was not mounted: ${explainMountFailure(error)}`);
    }
    if (session.hasTree) {
      this.#parts.status.finish("ready", isCancelled ? "Cancelled" : "Ready");
    } else {
      this.#report.replaceChildren();
      this.#actions.onLost();
      this.#parts.status.finish("failed", "No tree is mounted");
    }
  }

  #hideCancel(): void {
    const hadFocus = this.#cancel === document.activeElement;
    this.#cancel.hidden = true;
    if (hadFocus) {
      this.#parts.sections.show("tree");
      findElement("tree-pane", HTMLElement).focus();
    }
  }
}
