/** Draws a review, and passes on what its reader decides. */
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { standingSteps, wordStep } from "./change-words.ts";
import { makeButton } from "./decision-buttons.ts";
import { ExportBar } from "./export-bar.ts";
import { drawCounts } from "./file-head.ts";
import type { FileActions } from "./file-item.ts";
import { FileList } from "./file-list.ts";
import { reviewStyles } from "./review-styles.ts";
import type { Changes, ExportFormat, Step } from "./reviewed-client.ts";

export interface ReviewViewActions extends Omit<FileActions, "onLeaveOut"> {
  readonly onStepBack: (decision: "undo" | "redo") => void;
  readonly onExport: (format: ExportFormat) => void;
}

const NOTHING = "Nothing is proposed.";

/** Draws into a shadow root; never asks a client itself. */
export class ReviewView {
  readonly #title = makeElement("span", { class: "title" });
  readonly #open = makeButton("Open all", "Open all");
  readonly #undo = makeButton("Undo", "Undo");
  readonly #redo = makeButton("Redo", "Redo");
  readonly #status = makeElement("p", { class: "status", role: "status" });
  readonly #failure = makeElement("p", { class: "failure", part: "failure", role: "alert" });
  readonly #files: FileList;
  readonly #export: ExportBar;
  readonly #box: HTMLElement;
  #changes: Changes = { version: 0, entries: [], steps: [] };

  constructor(root: ShadowRoot, actions: ReviewViewActions) {
    this.#files = new FileList({ ...actions, onLeaveOut: () => this.#showExport() });
    this.#export = new ExportBar(actions.onExport);
    this.#open.addEventListener("click", () => void this.#toggleAll());
    this.#undo.addEventListener("click", () => actions.onStepBack("undo"));
    this.#redo.addEventListener("click", () => actions.onStepBack("redo"));
    this.#failure.hidden = true;
    this.#box = makeElement(
      "div",
      { class: "box", part: "box", role: "group", tabindex: -1 },
      makeElement(
        "div",
        { class: "bar", part: "bar" },
        this.#title,
        makeElement("div", { class: "buttons" }, this.#undo, this.#redo, this.#open),
        this.#status,
      ),
      this.#failure,
      this.#files.element,
      this.#export.element,
    );
    root.adoptedStyleSheets = [reviewStyles()];
    root.append(this.#box);
    this.#showHead();
  }

  set label(label: string) {
    this.#box.setAttribute("aria-label", label);
  }

  get leftOut(): readonly string[] {
    return this.#files.leftOut;
  }

  async show(changes: Changes, path: string | null): Promise<void> {
    const hadFocus = this.#box.matches(":focus-within");
    this.#changes = changes;
    this.#failure.hidden = true;
    const shown = this.#files.show(changes.entries, path);
    this.#showHead();
    if (hadFocus && !this.#box.matches(":focus-within")) {
      this.#box.focus({ preventScroll: true });
    }
    await shown;
  }

  /** Says what happened, in the bar and by a screen reader. */
  say(words: string): void {
    this.#status.textContent = words;
  }

  /** Says what was refused: beside the change, or above all of them. */
  showProblem(words: string, path: string | null): void {
    const item = path === null ? undefined : this.#files.item(path);
    if (item === undefined) {
      this.#failure.textContent = words;
      this.#failure.hidden = false;
      this.say("");
    } else {
      item.problem = words;
      this.say(words);
    }
  }

  #showHead(): void {
    const { entries, steps } = this.#changes;
    const added = entries.reduce((sum, entry) => sum + entry.added, 0);
    const removed = entries.reduce((sum, entry) => sum + entry.removed, 0);
    const words = entries.length === 0 ? NOTHING : formatCounted(entries.length, "change");
    this.#title.replaceChildren(words, ...drawCounts({ added, removed }));
    const { undo, redo } = standingSteps(steps);
    showStep(this.#undo, "Undo", undo);
    showStep(this.#redo, "Redo", redo);
    this.#open.hidden = entries.length === 0;
    this.#export.element.hidden = entries.length === 0;
    this.#showExport();
  }

  #showExport(): void {
    this.#export.show(this.#changes.entries, this.#files.leftOut);
  }

  async #toggleAll(): Promise<void> {
    const doesOpen = this.#open.textContent === "Open all";
    nameButton(this.#open, doesOpen ? "Close all" : "Open all");
    if (doesOpen) {
      await this.#files.openAll();
    } else {
      this.#files.closeAll();
    }
  }
}

/** Names what an undo takes back: a decision of the reader, or a whole call of a tool. */
function showStep(button: HTMLButtonElement, verb: string, step: Step | null): void {
  const words = step === null ? "" : wordStep(step);
  nameButton(button, step === null ? verb : `${verb} ${words.replace(/:.*$/s, "")}`);
  button.title = words;
  // Not `disabled`: the button keeps the focus when its last step has gone.
  button.setAttribute("aria-disabled", String(step === null));
}

function nameButton(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  button.setAttribute("aria-label", words);
}
