/** Draws a review, and passes on what its reader decides. */
import { formatCount, formatCounted } from "../../ui/format-quantities.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import box from "../box.css";
import { makeSheet } from "../styles.ts";
import { countLeft, standingSteps, wordExport, wordStep } from "./change-words.ts";
import { nameButton } from "./decision-buttons.ts";
import { drawCounts } from "./file-head.ts";
import type { FileActions } from "./file-item.ts";
import { FileList } from "./file-list.ts";
import { removeRows } from "./left-rows.ts";
import review from "./review.css";
import { NO_CHANGES, type ReviewScreen } from "./review-session.ts";
import type { Changes, ExportFormat, Step } from "./reviewed-client.ts";

export interface ReviewViewActions extends Omit<FileActions, "onLeaveOut"> {
  readonly onStepBack: (decision: "undo" | "redo") => void;
  readonly onExport: (format: ExportFormat) => void;
}

/** Shared by all reviews of the page. */
let sheet: CSSStyleSheet | null = null;

/** Draws into a shadow root; never asks a client itself. */
export class ReviewView implements ReviewScreen {
  readonly #title = makeElement("b");
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #status = makeElement("p", { class: "quiet", role: "status" });
  readonly #files: FileList;
  readonly #export = makeElement("span", { class: "figures" });
  readonly #box: HTMLElement;
  #changes: Changes = NO_CHANGES;

  constructor(root: ShadowRoot, actions: ReviewViewActions) {
    this.#files = new FileList({ ...actions, onLeaveOut: () => this.#showExport() });
    this.#undo = makeButton("", () => actions.onStepBack("undo"));
    this.#redo = makeButton("", () => actions.onStepBack("redo"));
    this.#box = makeElement(
      "div",
      { class: "box", part: "box", role: "group" },
      makeElement(
        "div",
        { class: "bar", part: "bar" },
        this.#title,
        makeElement("div", { class: "buttons" }, this.#undo, this.#redo),
        this.#status,
      ),
      this.#files.element,
      makeElement("div", { class: "footer" }, this.#export, ...drawExports(actions.onExport)),
    );
    sheet ??= makeSheet(box + review);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#box);
    this.#showHead();
  }

  set label(label: string) {
    this.#box.ariaLabel = label;
  }

  get leftOut(): readonly string[] {
    return this.#files.leftOut;
  }

  async show(changes: Changes, path: string | null): Promise<void> {
    this.#changes = changes;
    // An undo brings back what was left, and another client has left nothing.
    if (changes.steps.at(-1)?.of !== null) {
      removeRows(this.#files.element);
    }
    const shown = this.#files.show(changes.entries, path);
    this.#showHead();
    await shown;
  }

  /** Says what happened, in the bar and by a screen reader. */
  say(words: string): void {
    this.#status.textContent = words;
  }

  /** Says what was refused: in the bar, and beside the change if it is there still. */
  showProblem(words: string, path: string | null): void {
    const item = path === null ? undefined : this.#files.item(path);
    this.say(words);
    if (item !== undefined) {
      item.problem = words;
    }
  }

  #showHead(): void {
    const { entries, steps } = this.#changes;
    let added = 0;
    let removed = 0;
    for (const entry of entries) {
      added += entry.added;
      removed += entry.removed;
    }
    const counts = drawCounts({ added, removed });
    const left = countLeft(this.#changes);
    const leftWords = left === 0 ? "" : `, you left ${formatCount(left)}`;
    const words = `${formatCounted(entries.length, "proposed change")}${leftWords}`;
    this.#title.replaceChildren(words, ...counts);
    const { undo, redo } = standingSteps(steps);
    showStep(this.#undo, "Undo", undo);
    showStep(this.#redo, "Redo", redo);
    this.#box.classList.toggle("empty", entries.length === 0);
    this.#showExport();
  }

  #showExport(): void {
    this.#export.textContent = wordExport(this.#changes.entries, this.#files.leftOut);
  }
}

/** Names what an undo takes back: a decision of the reader, or all that a call has changed. */
function showStep(button: HTMLButtonElement, verb: string, step: Step | null): void {
  const [what, where] = step === null ? ["", ""] : wordStep(step);
  nameButton(button, `${verb} ${what}`, where, step === null);
  button.title = `${what} ${where}`.trim();
}

const FORMATS: readonly ExportFormat[] = ["patch", "archive", "manifest"];

function drawExports(onExport: (format: ExportFormat) => void): HTMLElement[] {
  return FORMATS.map((format) =>
    makeButton(`Export ${format}`, () => onExport(format), {
      class: format === "patch" ? "run" : "",
    }),
  );
}
