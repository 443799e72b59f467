/** The line at the top: the tool's name and the buttons. */
import { makeElement } from "../ui/make-element.ts";

export interface BarActions {
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onReset: () => void;
  readonly onCopy: () => void;
  readonly onToggleFiles: () => void;
}

const NOTE_MS = 1500;

/** Run and Stop are one button, so that it keeps its place and the focus. */
export class Bar {
  readonly element: HTMLElement;
  readonly #tool = makeElement("code", { class: "tool", part: "tool" });
  readonly #note = makeElement("span", { class: "note", "aria-hidden": "true" });
  readonly #run = makeButton("Run", "run");
  readonly #files = makeButton("Files", "files-toggle");
  readonly #copy = makeButton("Copy", "copy");
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #isBusy = false;

  constructor({ onRun, onStop, onReset, onCopy, onToggleFiles }: BarActions) {
    const reset = makeButton("Reset", "reset");
    this.#files.setAttribute("aria-controls", "files");
    this.#run.addEventListener("click", () => (this.#isBusy ? onStop() : onRun()));
    reset.addEventListener("click", onReset);
    this.#copy.addEventListener("click", onCopy);
    this.#files.addEventListener("click", onToggleFiles);
    this.element = makeElement(
      "div",
      { class: "bar", part: "bar" },
      this.#tool,
      makeElement(
        "div",
        { class: "buttons" },
        this.#note,
        this.#files,
        this.#copy,
        reset,
        this.#run,
      ),
    );
  }

  set tool(name: string) {
    this.#tool.textContent = name;
  }

  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    this.#run.textContent = isBusy ? "Stop" : "Run";
    this.#run.classList.toggle("stops", isBusy);
  }

  set canCopy(canCopy: boolean) {
    this.#copy.hidden = !canCopy;
  }

  set hasFiles(hasFiles: boolean) {
    this.#files.hidden = !hasFiles;
  }

  set isFilesOpen(isOpen: boolean) {
    this.#files.setAttribute("aria-expanded", String(isOpen));
  }

  /** Shows a word beside the buttons for 1.5 seconds. */
  note(word: string): void {
    clearTimeout(this.#noteTimer);
    this.#note.textContent = word;
    this.#noteTimer = setTimeout(() => {
      this.#note.textContent = "";
    }, NOTE_MS);
  }
}

function makeButton(word: string, name: string): HTMLButtonElement {
  return makeElement("button", { type: "button", class: name, part: `button ${name}` }, word);
}
