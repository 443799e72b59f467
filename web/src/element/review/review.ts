/** `<treeglass-review>`: a person looks at what an agent proposes, and decides about it. */
import { saveFile } from "../../ui/save-file.ts";
import { adoptEarly, defineElement, ElementBase, tell } from "../element-base.ts";
import {
  type ExportedFile,
  NO_CHANGES,
  type ReviewDecision,
  ReviewSession,
} from "./review-session.ts";
import { ReviewView } from "./review-view.ts";
import type { ExportFormat, ReviewedClient } from "./reviewed-client.ts";

export type { ExportedFile, ReviewDecision } from "./review-session.ts";
export type {
  Change,
  Changes,
  DiffLine,
  ExportFormat,
  FileDiff,
  Hunk,
  ReviewedClient,
  Step,
} from "./reviewed-client.ts";

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
 * @csspart hunk - One hunk; its text is in `lines`.
 * @csspart button - Every button.
 *
 * @cssprop --treeglass-added - Background of added lines.
 * @cssprop --treeglass-removed - Background of removed lines.
 */
export class TreeglassReview extends ElementBase {
  static readonly observedAttributes: readonly string[] = ["label"];

  readonly #view: ReviewView;
  #session: ReviewSession | null = null;

  constructor() {
    super();
    this.#view = new ReviewView(this.attachShadow({ mode: "open" }), {
      loadDiff: (path) => this.client?.diff(path),
      onDecide: async (part) => this.#session?.decide(part) ?? null,
      onStepBack: (decision) => void this.#session?.stepBack(decision),
      onExport: (format) => this.#export(format),
    });
    this.#view.label = LABEL;
  }

  /** The client whose changes are shown; null shows none. */
  get client(): ReviewedClient | null {
    return this.#session?.client ?? null;
  }
  set client(client: ReviewedClient | null) {
    this.#session?.leave();
    this.#session =
      client &&
      new ReviewSession(client, this.#view, (decision) =>
        tell(this, "treeglass-decision", decision),
      );
    void this.#view.show(NO_CHANGES, null);
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
    adoptEarly(this, "client");
  }

  attributeChangedCallback(): void {
    this.#view.label = this.getAttribute("label") ?? LABEL;
  }

  #export(format: ExportFormat): void {
    void this.#session?.export(format, this.leftOut, (file) => {
      if (tell(this, "treeglass-export", file, true)) {
        saveFile(file.fileName, file.blob);
      }
    });
  }
}

/**
 * Defines the element under another name too; importing this module defines `treeglass-review`.
 *
 * Does nothing if the name is taken, or outside a browser.
 */
export function defineTreeglassReview(name: string = TAG_NAME): void {
  defineElement(name, TAG_NAME, TreeglassReview);
}

defineTreeglassReview();

declare global {
  interface HTMLElementTagNameMap {
    readonly "treeglass-review": TreeglassReview;
  }

  // Events bubble: elements, the document and the window inherit this map.
  interface GlobalEventHandlersEventMap {
    readonly "treeglass-decision": CustomEvent<ReviewEvents["treeglass-decision"]>;
    readonly "treeglass-export": CustomEvent<ReviewEvents["treeglass-export"]>;
  }
}
