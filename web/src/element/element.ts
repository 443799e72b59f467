/** `<treeglass-demo>`: a tool call that a reader of a page can run. */
import type { ToolResult, TreeSource } from "../index.ts";
import { AttributeProperties } from "./attribute-properties.ts";
import { ATTRIBUTE_OF, type AttributeName } from "./attributes.ts";
import { AutoStart } from "./auto-start.ts";
import { Demo } from "./demo.ts";
import { adoptEarly, defineElement } from "./element-base.ts";
import type { DemoEvents } from "./framework-types.ts";
import type { DemoState } from "./runs/demo-runs.ts";

export type { DemoAnswerView, DemoFiles, DemoLoading, DemoTheme } from "./attributes.ts";
export type {
  DemoAnswer,
  DemoEvents,
  DemoListener,
  DemoListeners,
  DemoProps,
  VueDemoListeners,
} from "./framework-types.ts";
export type { DemoFailure, DemoState } from "./runs/demo-runs.ts";

const TAG_NAME = "treeglass-demo";
const PROPERTIES = Object.keys(ATTRIBUTE_OF) as (keyof typeof ATTRIBUTE_OF)[];

/**
 * A call of one tool over one tree, with its recorded answer, that runs in the reader's browser.
 *
 * Fetches nothing until it starts. All demos of a page share one worker. Demos with the same tree,
 * mount path, configuration and assets share one mount. Each property but `state` and `result` is
 * an attribute too: `mountPath` is `mount-path`.
 *
 * @slot - Shown until there is a live answer: `<pre data-recorded>`, with `data-is-error` if the
 *   tool answered with an error, or any other content. A `<script type="application/json">` holds
 *   the tree, if no attribute names one.
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
 * @csspart answer - The text of the live answer, as the model reads it.
 * @csspart readable - An answer that is JSON, for a person.
 * @csspart menu - The menu with "Copy as code"; its link is `playground-link`.
 * @csspart form - The fields of the arguments.
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
 * @cssprop --treeglass-answer-height - Height of an answer, a tree and a file, which scroll; by
 *   default they are as high as their content, and 26rem at most.
 */
export class TreeglassDemo extends AttributeProperties {
  static readonly observedAttributes: readonly string[] = Object.values(ATTRIBUTE_OF);

  readonly #demo: Demo;
  readonly #autoStart: AutoStart;

  constructor() {
    super();
    this.#demo = new Demo(this, this.attachShadow({ mode: "open" }));
    this.#autoStart = new AutoStart(this, () => void this.run());
  }

  /**
   * Any tree that the client mounts; used before the attributes.
   *
   * Also accepts JSON text, which becomes the attribute `source`; null removes both.
   */
  get source(): TreeSource | string | null {
    return this.#demo.source ?? this.getAttribute("source");
  }
  set source(source: TreeSource | string | null) {
    const isText = typeof source === "string";
    this.#demo.source = isText ? null : (source ?? null);
    if (isText) {
      this.setAttribute("source", source);
    } else if (this.#demo.source === null) {
      this.removeAttribute("source");
    }
  }

  /** The present activity of the demo. */
  get state(): DemoState {
    return this.#demo.runs.state;
  }

  /** The live answer that is shown; null if there is no live answer. */
  get result(): ToolResult | null {
    return this.#demo.runs.result;
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
    const running = this.#demo.runs.run();
    const settled = () => {
      // If another run has replaced this one, that run leaves at its own end.
      if (!this.#demo.runs.isBusy) {
        this.#endUnlessConnected();
      }
    };
    running.then(settled, settled);
    return running;
  }

  /** Stops a start or a call; restores the recorded answer and the arguments of the attribute. */
  reset(): void {
    this.#demo.runs.reset();
    this.#demo.showWritten();
    this.#demo.tell("treeglass-reset", null);
  }

  connectedCallback(): void {
    for (const name of PROPERTIES) {
      adoptEarly(this, name);
    }
    this.#demo.enter();
    this.#autoStart.set(this.loading);
  }

  disconnectedCallback(): void {
    this.#demo.leave();
    this.#autoStart.cancel();
    // A script that moves the element inserts it again before the timer fires.
    setTimeout(() => this.#endUnlessConnected());
  }

  attributeChangedCallback(name: AttributeName, before: string | null, after: string | null): void {
    if (before === after) {
      return;
    }
    this.#demo.follow(name);
    if (name === "loading" && this.isConnected) {
      this.#autoStart.set(this.loading);
    }
  }

  #endUnlessConnected(): void {
    if (!this.isConnected) {
      this.#demo.end();
    }
  }
}

/**
 * Defines the element under another name too; importing this module defines `treeglass-demo`.
 *
 * Does nothing if the name is taken, or outside a browser.
 */
export function defineTreeglassDemo(name: string = TAG_NAME): void {
  defineElement(name, TAG_NAME, TreeglassDemo);
}

defineTreeglassDemo();

declare global {
  interface HTMLElementTagNameMap {
    readonly "treeglass-demo": TreeglassDemo;
  }

  // Events bubble: elements, the document and the window inherit this map.
  interface GlobalEventHandlersEventMap {
    readonly "treeglass-progress": CustomEvent<DemoEvents["treeglass-progress"]>;
    readonly "treeglass-result": CustomEvent<DemoEvents["treeglass-result"]>;
    readonly "treeglass-failure": CustomEvent<DemoEvents["treeglass-failure"]>;
    readonly "treeglass-reset": CustomEvent<DemoEvents["treeglass-reset"]>;
  }
}
