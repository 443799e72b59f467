/** Draws a demo and passes on what its reader asks for. */
import type { ToolResult } from "../index.ts";
import { copyText } from "../ui/copy-text.ts";
import type { AnsweredCall } from "../ui/found-matches.ts";
import { makeElement } from "../ui/make-element.ts";
import { AnswerView, wordResult } from "./answer/answer-view.ts";
import { FailureView } from "./answer/failure-view.ts";
import { ArgumentsField } from "./arguments/arguments-field.ts";
import { type DemoFiles, pathArgumentOf, renderArguments } from "./attributes.ts";
import { Bar } from "./bar/bar.ts";
import type { MenuOffer } from "./bar/menu.ts";
import { ProgressLine } from "./bar/progress-line.ts";
import box from "./box.css";
import demo from "./demo.css";
import { FilesPanel } from "./files/files-panel.ts";
import type { DemoCall, OpenTree } from "./runs/demo-call.ts";
import type { DemoFailure, DemoState } from "./runs/demo-runs.ts";
import { makeSheet } from "./styles.ts";

export interface DemoViewActions {
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onReset: () => void;
  readonly openTree: () => Promise<OpenTree>;
  /** The reader changed the arguments, or they were restored. */
  readonly onEdit: () => void;
  readonly readWrittenCall: () => WrittenCall;
  /** Returns what the menu offers; null if something is wrong with the call. */
  readonly openMenu: () => Promise<MenuOffer | null>;
}

export type WrittenCall = Omit<AnsweredCall, "result">;

/** Shared by all demos of the page. */
let sheet: CSSStyleSheet | null = null;

/** Draws into a shadow root; never calls a client itself. */
export class DemoView {
  readonly arguments: ArgumentsField;
  readonly bar: Bar;
  readonly progress = new ProgressLine((words) => this.announce(words));
  readonly answer: AnswerView;
  readonly files: FilesPanel;
  readonly #actions: DemoViewActions;
  readonly #failure = new FailureView();
  readonly #body: HTMLElement;
  readonly #box: HTMLElement;
  #answered: WrittenCall | null = null;
  readonly #announcement = makeElement("p", { role: "status", class: "visually-hidden" });

  constructor(root: ShadowRoot, actions: DemoViewActions) {
    this.#actions = actions;
    this.arguments = new ArgumentsField(() => this.#run(), actions.onEdit);
    this.bar = this.#makeBar(actions);
    this.answer = new AnswerView({
      readCall: () => this.#answered ?? actions.readWrittenCall(),
      onNextPage: (next) => this.#runWith(next),
      onContent: (content) => {
        this.bar.canCopy = content !== "";
      },
    });
    this.files = new FilesPanel({
      openTree: actions.openTree,
      announce: (words) => this.announce(words),
      onUsePath: (path) => this.#usePath(path),
    });
    this.#body = makeElement(
      "div",
      { class: "body" },
      this.answer.element,
      this.files.element,
      this.files.reading,
    );
    this.#box = makeElement(
      "div",
      { class: "box", part: "box", role: "group" },
      this.bar.element,
      this.arguments.element,
      this.progress.element,
      this.#failure.element,
      this.#body,
      this.#announcement,
    );
    sheet ??= makeSheet(box + demo);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#box);
  }

  set tool(name: string) {
    this.bar.tool = name;
    this.arguments.tool = name;
  }

  set isReadonly(isReadonly: boolean) {
    this.arguments.isReadonly = isReadonly;
    this.files.canUsePath = !isReadonly;
  }

  set label(label: string) {
    this.#box.setAttribute("aria-label", label);
  }

  /** Shows or hides the Files button, and opens or closes the panel. */
  showFiles(choice: DemoFiles): void {
    this.bar.hasFiles = choice !== "none";
    this.#openFiles(choice === "open");
  }

  enter(state: DemoState): void {
    const isBusy = state === "starting" || state === "running";
    this.bar.isBusy = isBusy;
    this.answer.isBusy = isBusy;
    this.progress.enter(state);
    if (state !== "failed") {
      this.#failure.show(null);
    }
    if (state === "static" || state === "failed") {
      this.#answered = null;
      this.answer.show(null);
    }
  }

  showAnswer({ tool, arguments: args }: DemoCall, mountPath: string, result: ToolResult): void {
    this.#answered = { toolName: tool, argumentsText: JSON.stringify(args), mountPath };
    this.answer.show(result);
    this.announce(wordResult(result));
  }

  /** Shows why there is no live answer; a recorded answer stays. */
  showFailure(failure: DemoFailure): void {
    this.announce(this.#failure.show(failure));
  }

  announce(words: string): void {
    this.#announcement.textContent = words;
  }

  #makeBar(actions: DemoViewActions): Bar {
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
      onCopy: () => void this.#copy(this.answer.content),
      onCopyCode: (program) => void this.#copy(program),
      openMenu: actions.openMenu,
      onToggleFiles: () => {
        const isOpen = this.files.element.hidden === true;
        this.#openFiles(isOpen);
        if (isOpen) {
          void this.files.load();
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
    this.files.element.hidden = !isOpen;
    this.#body.classList.toggle("with-files", isOpen);
    this.bar.isFilesOpen = isOpen;
    if (!isOpen) {
      this.files.closeFile();
    }
  }

  async #copy(text: string): Promise<void> {
    const isCopied = await copyText(text);
    const word = isCopied ? "Copied" : "The browser refused to copy";
    this.bar.note(word);
    this.announce(word);
  }
}
