/** `<treeglass-demo>`: a tool call that a reader of a page can run. */
import type { ToolResult, TreeSource } from "../index.ts";
import { AttributeProperties } from "./attribute-properties.ts";
import { ATTRIBUTE_OF, type AttributeName, readFileTools } from "./attributes.ts";
import { AutoStart } from "./auto-start.ts";
import { type DemoParts, readCall, readMountRequest } from "./demo-call.ts";
import { DemoRuns, type DemoState } from "./demo-runs.ts";
import { DemoView } from "./demo-view.ts";
import type { DemoEvents } from "./framework-types.ts";
import { SharedMounts } from "./shared-mounts.ts";

export type { DemoFiles, DemoLoading, DemoTheme } from "./attributes.ts";
export type { DemoFailure, DemoState } from "./demo-runs.ts";
export type {
  DemoAnswer,
  DemoEvents,
  DemoListener,
  DemoListeners,
  DemoProps,
  VueDemoListeners,
} from "./framework-types.ts";

const TAG_NAME = "treeglass-demo";

/** Shared by all demos of the page that this module defines. */
const mounts = new SharedMounts();

/** Properties that a page may set before the element is upgraded to this class. */
const OWN_PROPERTIES: readonly string[] = Object.keys(ATTRIBUTE_OF);

/**
 * A call of one tool over one tree, with its recorded answer, that runs in the reader's browser.
 *
 * Fetches nothing until it starts. All demos of a page share one worker. Demos with the same tree,
 * mount path, configuration and assets share one mount.
 *
 * @slot - Shown until there is a live answer: `<pre data-recorded>`, with `data-is-error` if the
 *   tool answered with an error, or any other content. A `<script type="application/json">` holds
 *   the tree, if no attribute names one.
 *
 * @attr {string} tool - The tool to call.
 * @attr {string} arguments - Its arguments, as a JSON object.
 * @attr {string} source - A tree that the client mounts, as a JSON object.
 * @attr {string} src - Address of an archive or a manifest, relative to the page.
 * @attr {string} integrity - The digest that the bytes at `src` must have.
 * @attr {string} npm - A package of the npm registry: `name@version`.
 * @attr {string} github - A repository on GitHub: `owner/repo@ref`.
 * @attr {string} mount-path - The path that the tree is mounted at; `/repo` by default.
 * @attr {string} config - The configuration, as a JSON object.
 * @attr {number} max-output-bytes - The most bytes of an answer; by default the configuration's.
 * @attr {click|visible|eager} loading - When the demo starts without a click; `click`: never.
 * @attr {boolean} readonly - The arguments cannot be edited.
 * @attr {closed|open|none} files - The panel of files; `none` leaves it out.
 * @attr {string} label - The name that a screen reader speaks.
 * @attr {auto|light|dark} theme - `auto` follows the page's `color-scheme`.
 * @attr {string} assets - Folder with the runtime; `assets/` beside the script by default.
 *
 * @fires {CustomEvent<TimedProgressEvent>} treeglass-progress - A step of a start or a mount.
 * @fires {CustomEvent<DemoAnswer>} treeglass-result - The tool answered, perhaps with an error.
 * @fires {CustomEvent<DemoFailure>} treeglass-failure - The call could not be made.
 * @fires {CustomEvent<null>} treeglass-reset - The demo shows its recorded answer again.
 *
 * @csspart box - The whole demo.
 * @csspart bar - The line with the tool and the buttons.
 * @csspart tool - The tool's name.
 * @csspart button - Every button; also `run`, `reset`, `copy`, `files-toggle`, `next-page`.
 * @csspart arguments - The box with the arguments.
 * @csspart problem - What is wrong with the arguments.
 * @csspart progress - The progress bar of a start or a mount.
 * @csspart failure - Why the call could not be made.
 * @csspart answer - The text of the live answer.
 * @csspart footer - The line below the answer; `figures` and `warnings` are inside.
 * @csspart files - The panel with the tree; the entries are in `tree`.
 * @csspart reading - The chosen file; its text is in `lines`.
 *
 * @cssprop --treeglass-background - Background of the box.
 * @cssprop --treeglass-well - Background of the arguments, and of a control under the pointer.
 * @cssprop --treeglass-color - Colour of text.
 * @cssprop --treeglass-muted - Colour of buttons, figures and line numbers.
 * @cssprop --treeglass-accent - Colour of the Run button and of the buttons for the next step.
 * @cssprop --treeglass-accent-contrast - Colour of text on the accent.
 * @cssprop --treeglass-border - Colour of borders.
 * @cssprop --treeglass-error - Colour of errors.
 * @cssprop --treeglass-radius - Radius of corners; 6px by default.
 * @cssprop --treeglass-font - Font of words.
 * @cssprop --treeglass-mono - Font of names, arguments, answers and files.
 * @cssprop --treeglass-font-size - Size of words; 0.875rem by default.
 * @cssprop --treeglass-answer-height - Height at which an answer, a tree or a file starts to
 *   scroll; 26rem by default.
 */
export class TreeglassDemo extends AttributeProperties {
  static readonly observedAttributes: readonly string[] = Object.values(ATTRIBUTE_OF);

  readonly #view: DemoView;
  readonly #runs: DemoRuns;
  readonly #autoStart: AutoStart;
  #source: TreeSource | null = null;

  constructor() {
    super();
    this.#view = new DemoView(this.attachShadow({ mode: "open" }), {
      onRun: () => void this.run(),
      onStop: () => this.#runs.stop(),
      onReset: () => this.reset(),
      openTree: () => this.#runs.open(),
    });
    this.#runs = this.#makeRuns();
    this.#autoStart = new AutoStart(this, () => void this.run());
    this.#view.arguments.text = this.arguments;
    this.#view.label = this.label;
    this.#showFiles();
  }

  /**
   * Any tree that the client mounts; used before the attributes.
   *
   * Also accepts JSON text, which becomes the attribute `source`; null removes both.
   */
  get source(): TreeSource | string | null {
    return this.#source ?? this.getAttribute("source");
  }
  set source(source: TreeSource | string | null) {
    const isText = typeof source === "string";
    this.#source = isText ? null : (source ?? null);
    if (isText) {
      this.setAttribute("source", source);
    } else if (this.#source === null) {
      this.removeAttribute("source");
    }
  }

  /** What the demo is doing. */
  get state(): DemoState {
    return this.#runs.state;
  }

  /** The live answer that is shown; null if there is no live answer. */
  get result(): ToolResult | null {
    return this.#runs.result;
  }

  /**
   * Calls the tool with the arguments in the box; loads the tools and mounts the tree first, if
   * needed.
   *
   * Stops a call that runs already. Rejects with a `TreeglassError`, or with an `AbortError` if the
   * call was stopped or replaced, or the demo was removed from the page; a tool's own error is a
   * result. A demo outside the page releases its tree after each run.
   */
  run(): Promise<ToolResult> {
    this.#autoStart.finish();
    const running = this.#runs.run();
    const settled = () => {
      // If another run has replaced this one, that run leaves at its own end.
      if (!this.#runs.isBusy) {
        this.#leaveUnlessConnected();
      }
    };
    running.then(settled, settled);
    return running;
  }

  /** Stops a start or a call; restores the recorded answer and the arguments of the attribute. */
  reset(): void {
    this.#runs.reset();
    this.#view.arguments.text = this.arguments;
    this.#tell("treeglass-reset", null);
  }

  connectedCallback(): void {
    this.#adoptEarlyProperties();
    this.#view.arguments.fit();
    this.#autoStart.set(this.loading);
  }

  disconnectedCallback(): void {
    this.#autoStart.cancel();
    // A script that moves the element inserts it again before the timer fires.
    setTimeout(() => this.#leaveUnlessConnected());
  }

  attributeChangedCallback(name: AttributeName, before: string | null, after: string | null): void {
    if (before === after) {
      return;
    }
    switch (name) {
      case "tool":
        this.#view.tool = this.tool;
        this.#view.label = this.label;
        break;
      case "label":
        this.#view.label = this.label;
        break;
      case "arguments":
        this.#view.arguments.text = this.arguments;
        break;
      case "readonly":
        this.#view.isReadonly = this.readonly;
        break;
      case "files":
      case "config":
        this.#showFiles();
        break;
      case "loading":
        if (this.isConnected) {
          this.#autoStart.set(this.loading);
        }
        break;
    }
  }

  #leaveUnlessConnected(): void {
    if (!this.isConnected) {
      this.#runs.leave();
      this.#view.forgetFiles();
    }
  }

  #showFiles(): void {
    const { canList, canRead } = readFileTools(this.getAttribute("config"));
    this.#view.canRead = canRead;
    this.#view.files = canList ? this.files : "none";
  }

  #makeRuns(): DemoRuns {
    return new DemoRuns(mounts, {
      readMountRequest: () => readMountRequest(this.#parts()),
      readCall: () => readCall((name) => this.getAttribute(name), this.#view.arguments.text),
      onState: (state) => this.#view.enter(state),
      onProgress: (event) => {
        this.#view.showProgress(event);
        this.#tell("treeglass-progress", event);
      },
      onOpen: (tree) => this.#view.offerFiles(tree),
      onAnswer: ({ tool, arguments: args }, result) => {
        this.#view.showAnswer(result);
        this.#tell("treeglass-result", { tool, arguments: args, result });
      },
      onFailure: (failure) => {
        this.#view.showFailure(failure);
        this.#tell("treeglass-failure", failure);
      },
    });
  }

  #parts(): DemoParts {
    const inline = this.querySelector(':scope > script[type="application/json"]');
    return {
      read: (name) => this.getAttribute(name),
      source: this.#source,
      inlineEntries: inline?.textContent ?? null,
    };
  }

  /** Applies the properties that were set before the element was upgraded to this class. */
  #adoptEarlyProperties(): void {
    for (const name of OWN_PROPERTIES) {
      if (Object.hasOwn(this, name)) {
        const value: unknown = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
        Reflect.set(this, name, value);
      }
    }
  }

  #tell<Name extends keyof DemoEvents>(name: Name, detail: DemoEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/**
 * Defines the element under another name too; importing this module defines `treeglass-demo`.
 *
 * Does nothing if the name is taken, or outside a browser.
 */
export function defineTreeglassDemo(name: string = TAG_NAME): void {
  if (globalThis.customElements !== undefined && customElements.get(name) === undefined) {
    // A class can be defined under one name only.
    customElements.define(name, name === TAG_NAME ? TreeglassDemo : class extends TreeglassDemo {});
  }
}

defineTreeglassDemo();

declare global {
  interface HTMLElementTagNameMap {
    readonly "treeglass-demo": TreeglassDemo;
  }

  interface HTMLElementEventMap {
    readonly "treeglass-progress": CustomEvent<DemoEvents["treeglass-progress"]>;
    readonly "treeglass-result": CustomEvent<DemoEvents["treeglass-result"]>;
    readonly "treeglass-failure": CustomEvent<DemoEvents["treeglass-failure"]>;
    readonly "treeglass-reset": CustomEvent<DemoEvents["treeglass-reset"]>;
  }
}
