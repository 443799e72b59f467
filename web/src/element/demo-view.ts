/** Draws a demo and passes on what its reader asks for. */
import type { TimedProgressEvent, ToolResult } from "../index.ts";
import { copyText } from "../ui/copy-text.ts";
import { makeElement } from "../ui/make-element.ts";
import { AnswerView, wordResult } from "./answer-view.ts";
import { ArgumentsField } from "./arguments-field.ts";
import { type DemoFiles, pathArgumentOf, renderArguments } from "./attributes.ts";
import { Bar } from "./bar.ts";
import type { DemoFailure, DemoState, OpenTree } from "./demo-runs.ts";
import { FilesPanel } from "./files-panel.ts";
import { ProgressLine } from "./progress-line.ts";
import { demoStyles } from "./styles.ts";

/** Called when the reader asks for something. */
export interface DemoViewActions {
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onReset: () => void;
  readonly openTree: () => Promise<OpenTree>;
}

/** Draws into a shadow root; never calls a client itself. */
export class DemoView {
  readonly arguments: ArgumentsField;
  readonly #actions: DemoViewActions;
  readonly #bar: Bar;
  readonly #progress = new ProgressLine((words) => this.announce(words));
  readonly #failure = makeElement("p", { class: "failure", part: "failure" });
  readonly #answer: AnswerView;
  readonly #files: FilesPanel;
  readonly #body: HTMLElement;
  readonly #box: HTMLElement;
  readonly #announcement = makeElement("p", { role: "status", class: "visually-hidden" });

  constructor(root: ShadowRoot, actions: DemoViewActions) {
    this.#actions = actions;
    this.arguments = new ArgumentsField(() => this.#run());
    this.#bar = this.#makeBar();
    this.#answer = new AnswerView({
      onNextPage: (next) => this.#runWith(next),
      onContent: (content) => {
        this.#bar.canCopy = content !== "";
      },
    });
    this.#files = new FilesPanel({
      openTree: actions.openTree,
      announce: (words) => this.announce(words),
      onUsePath: (path) => this.#usePath(path),
    });
    this.#failure.hidden = true;
    this.#body = makeElement(
      "div",
      { class: "body" },
      this.#answer.element,
      this.#files.element,
      this.#files.reading.element,
    );
    this.#box = makeElement(
      "div",
      { class: "box", part: "box", role: "group" },
      this.#bar.element,
      this.arguments.element,
      this.#progress.element,
      this.#failure,
      this.#body,
      this.#announcement,
    );
    root.adoptedStyleSheets = [demoStyles()];
    root.append(this.#box);
  }

  set tool(name: string) {
    this.#bar.tool = name;
    this.arguments.tool = name;
  }

  set isReadonly(isReadonly: boolean) {
    this.arguments.isReadonly = isReadonly;
    this.#files.canUsePath = !isReadonly;
  }

  /** Whether choosing a file in the tree opens it. */
  set canRead(canRead: boolean) {
    this.#files.canRead = canRead;
  }

  set label(label: string) {
    this.#box.setAttribute("aria-label", label);
  }

  /** Shows or hides the Files button, and opens or closes the panel. */
  set files(choice: DemoFiles) {
    this.#bar.hasFiles = choice !== "none";
    this.#openFiles(choice === "open");
  }

  /** Shows a state. */
  enter(state: DemoState): void {
    const isBusy = state === "starting" || state === "running";
    this.#bar.isBusy = isBusy;
    this.#answer.isBusy = isBusy;
    this.#progress.enter(state);
    if (state !== "failed") {
      this.#failure.hidden = true;
    }
    if (state === "static" || state === "failed") {
      this.#answer.show(null);
    }
  }

  showProgress(event: TimedProgressEvent): void {
    this.#progress.show(event);
  }

  showAnswer(result: ToolResult): void {
    this.#answer.show(result);
    this.announce(wordResult(result));
  }

  /** Shows why there is no live answer; a recorded answer stays. */
  showFailure({ message }: DemoFailure): void {
    this.#failure.textContent = message;
    this.#failure.hidden = false;
    this.announce(message);
  }

  /** Shows the files of a tree, if the panel is open. */
  offerFiles(tree: OpenTree): void {
    void this.#files.offer(tree);
  }

  /** Empties the files panel, since its client is closed. */
  forgetFiles(): void {
    this.#files.forget();
  }

  /** Lets a screen reader speak the words. */
  announce(words: string): void {
    this.#announcement.textContent = words;
  }

  #makeBar(): Bar {
    return new Bar({
      onRun: () => this.#run(),
      onStop: () => {
        this.#actions.onStop();
        this.announce("Stopped");
      },
      onReset: () => {
        this.#actions.onReset();
        this.announce("Reset");
      },
      onCopy: () => void this.#copy(),
      onToggleFiles: () => {
        const isOpen = this.#files.element.hidden === true;
        this.#openFiles(isOpen);
        if (isOpen) {
          void this.#files.load();
        }
      },
    });
  }

  #run(): void {
    const problem = this.arguments.check();
    if (problem === null) {
      this.#actions.onRun();
    } else {
      this.announce(problem.sentence);
    }
  }

  #runWith(args: object): void {
    this.arguments.text = renderArguments(args);
    this.#actions.onRun();
  }

  #usePath(path: string): void {
    const args = this.arguments.value ?? {};
    const name = pathArgumentOf(this.arguments.tool);
    this.arguments.text = renderArguments({ ...args, [name]: path });
    this.announce(`The argument ${name} is ${path}`);
  }

  #openFiles(isOpen: boolean): void {
    this.#files.element.hidden = !isOpen;
    this.#body.classList.toggle("with-files", isOpen);
    this.#bar.isFilesOpen = isOpen;
    if (!isOpen) {
      this.#files.reading.close();
    }
  }

  async #copy(): Promise<void> {
    const isCopied = await copyText(this.#answer.content);
    const word = isCopied ? "Copied" : "The browser refused to copy";
    this.#bar.note(word);
    this.announce(word);
  }
}
