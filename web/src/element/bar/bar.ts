/** The line at the top: the tool's name and the buttons. */
import { makeButton, makeElement, makeIcon } from "../../ui/make-element.ts";
import { Menu, type MenuActions } from "./menu.ts";

export interface BarActions extends MenuActions {
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
  readonly #run: HTMLButtonElement;
  readonly #files: HTMLButtonElement;
  readonly #copy: HTMLButtonElement;
  readonly #reset: HTMLButtonElement;
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #isBusy = false;
  #cost = "";

  constructor(actions: BarActions) {
    this.#run = makeButton("", () => (this.#isBusy ? actions.onStop() : actions.onRun()), {
      class: "run",
      part: "button run",
    });
    this.#reset = makeIconButton("Reset", "reset", "reset", () => {
      // The button hides itself, so the focus goes on to the next one.
      this.#run.focus();
      actions.onReset();
    });
    this.#copy = makeIconButton("Copy", "copy", "copy", actions.onCopy);
    this.#files = makeIconButton("Files", "files", "files-toggle", actions.onToggleFiles);
    this.#files.setAttribute("aria-controls", "files");
    this.element = makeElement(
      "div",
      { class: "bar", part: "bar" },
      this.#tool,
      makeElement(
        "div",
        { class: "buttons" },
        this.#note,
        this.#reset,
        this.#files,
        this.#copy,
        new Menu(actions).element,
        this.#run,
      ),
    );
    this.canReset = false;
    this.#drawRun();
  }

  set tool(name: string) {
    this.#tool.textContent = name;
  }

  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    this.#drawRun();
  }

  /** The bytes that the next run loads, in words; empty if the tools are there. */
  set cost(cost: string) {
    this.#cost = cost;
    this.#drawRun();
  }

  set canCopy(canCopy: boolean) {
    this.#copy.hidden = !canCopy;
  }

  set canReset(canReset: boolean) {
    this.#reset.hidden = !canReset;
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

  #drawRun(): void {
    const cost = this.#isBusy ? "" : this.#cost;
    this.#run.replaceChildren(this.#isBusy ? "Stop" : "Run");
    if (cost !== "") {
      this.#run.append(makeElement("small", {}, ` ${cost}`));
    }
    this.#run.title = cost && `The first run loads the tools: ${cost}. Later runs load nothing.`;
    this.#run.classList.toggle("stops", this.#isBusy);
  }
}

function makeIconButton(
  name: string,
  icon: Parameters<typeof makeIcon>[0],
  part: string,
  onClick: () => void,
): HTMLButtonElement {
  const label = { "aria-label": name, title: name };
  return makeButton(makeIcon(icon), onClick, { ...label, class: part, part: `button ${part}` });
}
