/** Shows one change: what it is, what to know of it, its hunks, and the decision about it. */
import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { makeElement } from "../../ui/make-element.ts";
import { DecisionButtons, makeButton } from "./decision-buttons.ts";
import { drawFigures, drawMarks, drawTitle } from "./file-head.ts";
import { HunkView } from "./hunk-view.ts";
import type { DecidedPart } from "./review-session.ts";
import type { Change, FileDiff, Hunk } from "./reviewed-client.ts";

const NOT_IN_EXPORT = "Not in the export";

export interface FileActions {
  /** Undefined without a client. */
  readonly loadDiff: (path: string) => Promise<FileDiff> | undefined;
  readonly onDecide: (part: DecidedPart) => void;
  readonly onLeaveOut: () => void;
}

/** Loads its lines when it opens, and again when they may have moved. */
export class FileItem {
  readonly element: HTMLElement;
  readonly #actions: FileActions;
  readonly #name: string;
  readonly #toggle = makeButton("");
  readonly #figures = makeElement("span", { class: "quiet" });
  readonly #marks = makeElement("ul", { class: "marks quiet" });
  readonly #problem = makeElement("p", { class: "problem" });
  readonly #buttons: DecisionButtons;
  readonly #leaveOut = makeElement("input", { type: "checkbox" });
  readonly #body = makeElement("div", { class: "hunks", hidden: true });
  #change: Change;
  #hunks: readonly HunkView[] = [];
  /** The hunks that are drawn, without the decisions. */
  #drawn = "";
  #lastLoad = 0;

  constructor(change: Change, actions: FileActions) {
    const { path } = change;
    this.#change = change;
    this.#actions = actions;
    this.#name = escapePath(path);
    this.#toggle.className = "toggle";
    this.#toggle.addEventListener("click", () => void (this.isOpen ? this.close() : this.open()));
    this.#buttons = new DecisionButtons(this.#name, (reason) =>
      actions.onDecide({ path, name: this.#name, reason }),
    );
    this.#leaveOut.ariaLabel = `${NOT_IN_EXPORT}: ${this.#name}`;
    this.#leaveOut.addEventListener("change", actions.onLeaveOut);
    this.element = makeElement(
      "li",
      { class: "file" },
      makeElement(
        "div",
        { class: "bar head" },
        this.#toggle,
        this.#figures,
        makeElement("label", { class: "quiet" }, this.#leaveOut, NOT_IN_EXPORT),
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

  focus(): void {
    this.#toggle.focus();
  }

  set problem(words: string) {
    this.#problem.textContent = words;
  }

  /** Shows the change as it is now; with its lines, if they may have moved. */
  async update(change: Change, mayHaveMoved: boolean): Promise<void> {
    const isSame = JSON.stringify(change) === JSON.stringify(this.#change);
    this.#change = change;
    this.#draw();
    if (this.isOpen && (mayHaveMoved || !isSame)) {
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
    this.#drawn = "";
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

  /** Draws the hunks; if only decisions differ, leaves the lines and the focus as they are. */
  #show(hunks: readonly Hunk[]): void {
    const drawn = JSON.stringify(hunks.map(({ decision: _, ...hunk }) => hunk));
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#redraw(hunks);
    }
    hunks.forEach(({ decision }, index) => {
      const view = this.#hunks[index];
      if (view !== undefined) {
        view.decision = decision;
      }
    });
  }

  #redraw(hunks: readonly Hunk[]): void {
    const focused = this.#hunks.findIndex(({ element }) => element.matches(":focus-within"));
    this.#hunks = hunks.map((hunk, index) => {
      const name = `Hunk ${index + 1} of ${hunks.length} in ${this.#name}`;
      const { path } = this.#change;
      return new HunkView(hunk, name, (reason) =>
        this.#actions.onDecide({ path, hunks: [hunk.key], name, reason }),
      );
    });
    if (hunks.length === 0) {
      this.#say("There are no lines to show.");
      return;
    }
    this.#body.replaceChildren(...this.#hunks.map(({ element }) => element));
    if (focused >= 0) {
      // On a hunk, not on a button: pressing the same key again decides nothing.
      (this.#hunks[focused] ?? this.#hunks.at(-1))?.element.focus({ preventScroll: true });
    }
  }
}
