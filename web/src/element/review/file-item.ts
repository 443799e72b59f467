/** Shows one change: what it is, what to know of it, its hunks, and the decision about it. */
import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { DecisionButtons } from "./decision-buttons.ts";
import { drawFigures, drawMarks, drawTitle } from "./file-head.ts";
import { HunkView } from "./hunk-view.ts";
import type { DecidedPart } from "./review-session.ts";
import type { Change, FileDiff, Hunk } from "./reviewed-client.ts";

export interface FileActions {
  readonly loadDiff: (path: string) => Promise<FileDiff>;
  readonly onTake: (part: DecidedPart) => void;
  readonly onLeave: (part: DecidedPart, reason: string) => void;
  /** The reader has changed whether the export leaves it out. */
  readonly onLeaveOut: () => void;
}

/** Loads its lines when it opens, and again when they may have moved. */
export class FileItem {
  readonly element: HTMLElement;
  readonly #actions: FileActions;
  readonly #name: string;
  readonly #twist = makeElement("span", { class: "twist", "aria-hidden": "true" });
  readonly #toggle: HTMLButtonElement;
  readonly #figures = makeElement("span", { class: "figures" });
  readonly #marks = makeElement("ul", { class: "marks" });
  readonly #problem = makeElement("p", { class: "problem", part: "problem" });
  readonly #buttons: DecisionButtons;
  readonly #leaveOut = makeElement("input", { type: "checkbox" });
  readonly #body = makeElement("div", { class: "hunks" });
  #change: Change;
  #hunks: readonly HunkView[] = [];
  #lastLoad = 0;

  constructor(change: Change, actions: FileActions) {
    this.#change = change;
    this.#actions = actions;
    this.#name = escapePath(change.path);
    this.#toggle = makeElement("button", {
      type: "button",
      class: "toggle",
      part: "button toggle",
      "aria-expanded": "false",
    });
    this.#toggle.addEventListener("click", () => void (this.isOpen ? this.close() : this.open()));
    const part = { path: change.path, name: this.#name };
    this.#buttons = new DecisionButtons({
      name: this.#name,
      onTake: () => actions.onTake(part),
      onLeave: (reason) => actions.onLeave(part, reason),
    });
    this.#leaveOut.addEventListener("change", () => actions.onLeaveOut());
    this.#body.hidden = true;
    this.element = makeElement(
      "li",
      { class: "file", part: "file" },
      this.#makeHead(),
      this.#marks,
      this.#problem,
      this.#body,
    );
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

  /** Says what was refused; "" takes it away. */
  set problem(words: string) {
    this.#problem.textContent = words;
    this.#problem.hidden = words === "";
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

  /** Shows the lines. */
  async open(): Promise<void> {
    this.#body.hidden = false;
    this.#toggle.setAttribute("aria-expanded", "true");
    await this.#load();
  }

  /** Hides the lines, and forgets them. */
  close(): void {
    this.#lastLoad += 1;
    this.#body.hidden = true;
    this.#toggle.setAttribute("aria-expanded", "false");
    this.#body.replaceChildren();
    this.#hunks = [];
  }

  #makeHead(): HTMLElement {
    const words = makeElement("span", { class: "visually-hidden" }, ` of ${this.#name}`);
    const leaveOut = makeElement(
      "label",
      {},
      this.#leaveOut,
      makeElement("span", {}, "Leave out", words),
    );
    return makeElement(
      "div",
      { class: "file-head", part: "file-head" },
      this.#toggle,
      this.#figures,
      makeElement("div", { class: "choices" }, leaveOut, this.#buttons.element),
    );
  }

  #draw(): void {
    const change = this.#change;
    this.#toggle.replaceChildren(this.#twist, ...drawTitle(change));
    this.#figures.replaceChildren(...drawFigures(change));
    const marks = drawMarks(change);
    this.#marks.replaceChildren(...marks);
    this.#marks.hidden = marks.length === 0;
    this.#buttons.isTaken = change.decision === "kept";
    this.element.classList.toggle("taken", change.decision === "kept");
    this.problem = "";
  }

  async #load(): Promise<void> {
    this.#lastLoad += 1;
    const load = this.#lastLoad;
    this.#body.setAttribute("aria-busy", "true");
    if (this.#hunks.length === 0) {
      this.#say("Loading the lines \u2026");
    }
    try {
      const diff = await this.#actions.loadDiff(this.#change.path);
      if (load === this.#lastLoad) {
        this.#show(diff.hunks);
      }
    } catch (error) {
      if (load === this.#lastLoad) {
        this.close();
        this.problem = sentenceOf(error);
      }
    } finally {
      if (load === this.#lastLoad) {
        this.#body.removeAttribute("aria-busy");
      }
    }
  }

  #show(hunks: readonly Hunk[]): void {
    const before = this.#hunks;
    const focused = before.findIndex(({ element }) => element.matches(":focus-within"));
    this.#hunks = hunks.map((hunk, index) => this.#viewOf(hunk, index, hunks.length, before));
    if (hunks.length === 0) {
      this.#say(whyWithoutLines(this.#change));
    } else {
      this.#replace(this.#hunks.map(({ element }) => element));
    }
    if (focused >= 0 && !this.#body.matches(":focus-within")) {
      // On a hunk, not on a button: pressing the same key again decides nothing.
      const next = this.#hunks[focused] ?? this.#hunks.at(-1);
      (next?.element ?? this.#toggle).focus({ preventScroll: next !== undefined });
    }
  }

  #viewOf(hunk: Hunk, index: number, total: number, before: readonly HunkView[]): HunkView {
    const place = { number: index + 1, total, fileName: this.#name };
    const kept = before.find((view) => view.shows(hunk, place));
    if (kept !== undefined) {
      kept.decision = hunk.decision;
      return kept;
    }
    const partOf = (name: string): DecidedPart => ({
      path: this.#change.path,
      hunks: [hunk.key],
      name,
    });
    return new HunkView(hunk, place, {
      onTake: (_, name) => this.#actions.onTake(partOf(name)),
      onLeave: (_, name, reason) => this.#actions.onLeave(partOf(name), reason),
    });
  }

  /** Leaves elements that stay in place, since an element that moves loses the focus. */
  #replace(elements: readonly HTMLElement[]): void {
    const children = [...this.#body.children];
    if (children.length !== elements.length || elements.some((each, at) => each !== children[at])) {
      this.#body.replaceChildren(...elements);
    }
  }

  #say(words: string): void {
    this.#body.replaceChildren(makeElement("p", { class: "quiet" }, words));
  }
}

function whyWithoutLines({ kind, flags, added, removed }: Change): string {
  if (kind !== "file") {
    return `A ${kind === "directory" ? "folder" : "link"} has no lines.`;
  }
  if (flags.includes("binary")) {
    return "The file is binary, so no lines are shown. An archive holds its bytes.";
  }
  return added + removed === 0 ? "No line changes." : "There are no lines to show.";
}
