/** Shows one change: what it is, what to know of it, its hunks, and the decision about it. */
import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import { DecisionButtons } from "./decision-buttons.ts";
import { drawFigures, drawMarks, drawTitle } from "./file-head.ts";
import { HunkView } from "./hunk-view.ts";
import { arrange, type GiveReason, markAsLeft } from "./left-rows.ts";
import type { DecidedPart, Decision } from "./review-session.ts";
import type { Change, FileDiff, Hunk } from "./reviewed-client.ts";

const DO_NOT_EXPORT = "Do not export";

export interface FileActions {
  /** Undefined without a client. */
  readonly loadDiff: (path: string) => Promise<FileDiff> | undefined;
  /** Returns what passes on why a part was left; null if it was not left. */
  readonly onDecide: (part: DecidedPart) => Promise<GiveReason | null>;
  readonly onLeaveOut: () => void;
}

/** Loads its lines when it opens, and again when they may have moved. */
export class FileItem {
  readonly element: HTMLElement;
  readonly #actions: FileActions;
  readonly #name: string;
  readonly #toggle = makeButton("", () => void (this.isOpen ? this.close() : this.open()), {
    class: "toggle",
  });
  readonly #figures = makeElement("span", { class: "quiet" });
  readonly #marks = makeElement("ul", { class: "marks quiet" });
  readonly #problem = makeElement("p", { class: "problem" });
  readonly #buttons: DecisionButtons;
  readonly #leaveOut = makeElement("input", { type: "checkbox" });
  readonly #body = makeElement("div", { class: "hunks", hidden: true });
  #change: Change;
  /** The hunks as they are drawn, without the decisions. */
  #hunks = new Map<string, HunkView>();
  #lastLoad = 0;

  constructor(change: Change, actions: FileActions) {
    const { path } = change;
    this.#change = change;
    this.#actions = actions;
    this.#name = escapePath(path);
    this.#buttons = new DecisionButtons(this.#name, (decision) =>
      this.#decide({ path, name: this.#name, decision }, this.element),
    );
    this.#leaveOut.ariaLabel = `${DO_NOT_EXPORT}: ${this.#name}`;
    this.#leaveOut.addEventListener("change", actions.onLeaveOut);
    this.element = makeElement(
      "li",
      { class: "file" },
      makeElement(
        "div",
        { class: "bar head" },
        this.#toggle,
        this.#figures,
        makeElement("label", { class: "quiet" }, this.#leaveOut, DO_NOT_EXPORT),
        this.#buttons.element,
      ),
      this.#marks,
      this.#problem,
      this.#body,
    );
    this.close();
    this.#draw();
  }

  get change(): Change {
    return this.#change;
  }

  get isOpen(): boolean {
    return !this.#body.hidden;
  }

  get isLeftOut(): boolean {
    return this.#leaveOut.checked;
  }

  set problem(words: string) {
    this.#problem.textContent = words;
  }

  /** Shows the change as it is now; with its lines, if they may have moved. */
  async update(change: Change, mayHaveMoved: boolean): Promise<void> {
    this.#change = change;
    this.#draw();
    if (this.isOpen && mayHaveMoved) {
      await this.#load();
    }
  }

  async open(): Promise<void> {
    this.#setOpen(true);
    this.#say("Loading \u2026");
    await this.#load();
  }

  close(): void {
    this.#lastLoad += 1;
    this.#setOpen(false);
    this.#body.replaceChildren();
    this.#hunks.clear();
  }

  #decide(part: DecidedPart, place: HTMLElement): void {
    const deciding = this.#actions.onDecide(part);
    if (part.decision === "leave") {
      markAsLeft(place, part.name, deciding);
    }
  }

  #say(words: string): void {
    this.#body.replaceChildren(makeElement("p", { class: "quiet" }, words));
  }

  #setOpen(isOpen: boolean): void {
    this.#body.hidden = !isOpen;
    this.#toggle.ariaExpanded = String(isOpen);
  }

  #draw(): void {
    const change = this.#change;
    this.#toggle.replaceChildren(...drawTitle(change));
    this.#figures.replaceChildren(...drawFigures(change));
    this.#marks.replaceChildren(...drawMarks(change));
    this.#buttons.isTaken = change.decision === "kept";
    this.problem = "";
  }

  async #load(): Promise<void> {
    this.#lastLoad += 1;
    const load = this.#lastLoad;
    try {
      const diff = await this.#actions.loadDiff(this.#change.path);
      if (load === this.#lastLoad) {
        this.#show(diff?.hunks ?? []);
      }
    } catch (error) {
      if (load === this.#lastLoad) {
        this.close();
        this.problem = sentenceOf(error);
      }
    }
  }

  /** Draws the hunks anew that differ in more than the decision, so that the others keep the focus. */
  #show(hunks: readonly Hunk[]): void {
    const { path, from, flags } = this.#change;
    const before = this.#hunks;
    this.#hunks = new Map();
    let digits = 0;
    for (const [index, { decision, ...hunk }] of hunks.entries()) {
      digits = `${Math.max(hunk.beforeStart, hunk.afterStart) + hunk.lines.length}`.length;
      const name = `Hunk ${index + 1} of ${hunks.length} in ${this.#name}`;
      // The lines may be left without the new name or mode.
      const isWhole = hunks.length === 1 && from === null && flags.mode === undefined;
      const drawn = JSON.stringify([name, hunk, isWhole]);
      const decide = (decision: Decision) =>
        // The only hunk goes with its file.
        this.#decide(
          { path, hunks: [hunk.key], name, decision },
          hunks.length === 1 ? this.element : view.element,
        );
      const view: HunkView = before.get(drawn) ?? new HunkView(hunk, name, isWhole ? null : decide);
      view.decision = decision;
      this.#hunks.set(drawn, view);
    }
    this.#body.style.setProperty("--_digits", String(digits));
    arrange(this.#body, [...this.#hunks.values()]);
    if (hunks.length === 0) {
      this.#say("There are no lines to show.");
    }
  }
}
