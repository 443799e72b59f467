/** `<treeglass-review>`: a person looks at what an agent proposes, and decides about it. */
import { ElementBase } from "../element-base.ts";
import { download, type ExportedFile } from "./exported-file.ts";
import { type ReviewDecision, ReviewSession } from "./review-session.ts";
import { ReviewView } from "./review-view.ts";
import type { ExportFormat, ReviewedClient } from "./reviewed-client.ts";

export type { ExportedFile } from "./exported-file.ts";
export type { ReviewDecision } from "./review-session.ts";
export type * from "./reviewed-client.ts";

const TAG_NAME = "treeglass-review";
const LABEL = "Proposed changes";

/** The `detail` of each event of a review. */
export interface ReviewEvents {
  readonly "treeglass-decision": ReviewDecision;
  readonly "treeglass-export": ExportedFile;
}

/**
 * The changes that calls of a client propose, for a person to take, leave and export.
 *
 * Shows the changes of its property `client`, and again at each `refresh()`: pass that to the
 * client as `onChanges`. It asks nothing but the client, and writes nothing but the file of an
 * export.
 *
 * @attr {string} label - The name that a screen reader speaks.
 * @attr {auto|light|dark} theme - `auto` follows the page's `color-scheme`.
 *
 * @fires {CustomEvent<ReviewDecision>} treeglass-decision - The reader took or left something, or
 *   undid or redid a step.
 * @fires {CustomEvent<ExportedFile>} treeglass-export - The reader exports a file; unless a
 *   listener prevents it, the browser saves the file.
 *
 * @csspart box - The whole review.
 * @csspart bar - The line with the counts and the buttons for all changes.
 * @csspart failure - What was refused.
 * @csspart file - One change; its first line is `file-head`.
 * @csspart problem - What was refused about one change.
 * @csspart hunk - One hunk; its text is in `lines`.
 * @csspart button - Every button; also `toggle`, `take`, `export`.
 * @csspart export-bar - The line with the exports.
 *
 * @cssprop --treeglass-added - Background of added lines.
 * @cssprop --treeglass-removed - Background of removed lines.
 */
export class TreeglassReview extends ElementBase {
  static readonly observedAttributes: readonly string[] = ["label"];

  readonly #view: ReviewView;
  #client: ReviewedClient | null = null;
  #session: ReviewSession | null = null;

  constructor() {
    super();
    this.#view = new ReviewView(this.attachShadow({ mode: "open" }), {
      loadDiff: (path) => this.#session?.diff(path) ?? Promise.reject(new Error("no client")),
      onTake: (part) => void this.#session?.take(part),
      onLeave: (part, reason) => void this.#session?.leave(part, reason),
      onStepBack: (decision) => void this.#session?.stepBack(decision),
      onExport: (format) => this.#export(format),
    });
    this.#view.label = LABEL;
  }

  /** The client whose changes are shown; null shows none. */
  get client(): ReviewedClient | null {
    return this.#client;
  }
  set client(client: ReviewedClient | null) {
    this.#client = client ?? null;
    this.#session = this.#client === null ? null : this.#makeSession(this.#client);
    void this.#view.show({ version: 0, entries: [], steps: [] }, null);
    void this.refresh();
  }

  /** The paths that the reader leaves out of an export. */
  get leftOut(): readonly string[] {
    return this.#view.leftOut;
  }

  /** Shows what is proposed now; a failure is shown in words. */
  async refresh(): Promise<void> {
    await this.#session?.refresh();
  }

  connectedCallback(): void {
    // A page may set the property before the element is upgraded to this class.
    if (Object.hasOwn(this, "client")) {
      const { client } = this;
      Reflect.deleteProperty(this, "client");
      this.client = client;
    }
  }

  attributeChangedCallback(): void {
    this.#view.label = this.getAttribute("label") ?? LABEL;
  }

  #makeSession(client: ReviewedClient): ReviewSession {
    const session: ReviewSession = new ReviewSession(client, {
      onChanges: async (changes, path) => {
        // A client that was replaced may still answer.
        if (session === this.#session) {
          await this.#view.show(changes, path);
        }
      },
      onDecision: (decision) => this.#tell("treeglass-decision", decision),
      onSaid: (words) => this.#view.say(words),
      onProblem: (words, path) => this.#view.showProblem(words, path),
    });
    return session;
  }

  #export(format: ExportFormat): void {
    void this.#session?.export(format, this.leftOut, (file) => {
      if (this.#tell("treeglass-export", file)) {
        download(file);
      }
    });
  }

  /** Returns whether no listener has prevented what follows. */
  #tell<Name extends keyof ReviewEvents>(name: Name, detail: ReviewEvents[Name]): boolean {
    const cancelable = name === "treeglass-export";
    const options = { detail, bubbles: true, composed: true, cancelable };
    return this.dispatchEvent(new CustomEvent(name, options));
  }
}

/**
 * Defines the element under another name too; importing this module defines `treeglass-review`.
 *
 * Does nothing if the name is taken, or outside a browser.
 */
export function defineTreeglassReview(name: string = TAG_NAME): void {
  if (globalThis.customElements !== undefined && customElements.get(name) === undefined) {
    // A class can be defined under one name only.
    const element = name === TAG_NAME ? TreeglassReview : class extends TreeglassReview {};
    customElements.define(name, element);
  }
}

defineTreeglassReview();

declare global {
  interface HTMLElementTagNameMap {
    readonly "treeglass-review": TreeglassReview;
  }

  interface HTMLElementEventMap {
    readonly "treeglass-decision": CustomEvent<ReviewEvents["treeglass-decision"]>;
    readonly "treeglass-export": CustomEvent<ReviewEvents["treeglass-export"]>;
  }
}
