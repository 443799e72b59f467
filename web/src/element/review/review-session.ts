/** Carries out what a person decides, and keeps what is shown up to date; draws nothing. */
import { sentenceOf } from "../../ui/error-sentence.ts";
import { renderJson } from "../../ui/json.ts";
import { standingSteps, wordStep } from "./change-words.ts";
import type { GiveReason } from "./left-rows.ts";
import type { Changes, ExportFormat, ReviewedClient } from "./reviewed-client.ts";

/** `untake` takes back a `take`. */
export type Decision = "take" | "untake" | "leave";

/** A decision about a change, or about some of its hunks. */
export interface DecidedPart {
  readonly path: string;
  /** Keys; undefined is the whole change. */
  readonly hunks?: readonly string[];
  /** The part for a sentence, such as `Hunk 1 of 3 in /repo/a.py`. */
  readonly name: string;
  readonly decision: Decision;
}

/** The detail of `treeglass-decision`. */
export interface ReviewDecision {
  /** `reason`: the reader says why they have left something. */
  readonly decision: Decision | "reason" | "undo" | "redo";
  /** The paths that it concerns. */
  readonly paths: readonly string[];
  /** Keys of hunks; null if the decision was about whole changes. */
  readonly hunks: readonly string[] | null;
  /** Why something was left; "" for every other decision. */
  readonly reason: string;
}

/** The view in which a session shows what it finds, and says what happens. */
export interface ReviewScreen {
  /** Only the lines at `path` may have moved; null is any path. */
  show(changes: Changes, path: string | null): Promise<void>;
  say(words: string): void;
  /** Says what was refused; at a path, or null. */
  showProblem(words: string, path: string | null): void;
}

export const NO_CHANGES: Changes = { version: 0, entries: [], steps: [] };

/** The row in the place of a part says that it is left. */
const END_WORDS = { take: "taken", untake: "not taken", leave: "" } as const;

const STALE = /^(Stale|Unknown)(Hunk|Change)$/;
const STALE_WORDS = "This has changed since it was shown, so nothing was done. Look at it again.";

/** Runs one decision at a time, and ignores clicks meanwhile. */
export class ReviewSession {
  readonly client: ReviewedClient;
  readonly #screen: ReviewScreen;
  readonly #onDecision: (decision: ReviewDecision) => void;
  #shown = NO_CHANGES;
  #lastLoad = 0;
  #isBusy = false;

  constructor(
    client: ReviewedClient,
    screen: ReviewScreen,
    onDecision: (decision: ReviewDecision) => void,
  ) {
    this.client = client;
    this.#screen = screen;
    this.#onDecision = onDecision;
  }

  /** Shows nothing from now on: another client's session has the screen. */
  leave(): void {
    // No load is the last one from now on, since no number equals this.
    this.#lastLoad = Number.NaN;
  }

  /** Loads and shows what is proposed. Reports a failure, and never rejects. */
  async refresh(): Promise<void> {
    try {
      await this.#load(null);
    } catch (error) {
      this.#screen.showProblem(sentenceOf(error), null);
    }
  }

  /** Takes, untakes or leaves a part. Returns what passes on why it was left; null if it was not left. */
  async decide(part: DecidedPart): Promise<GiveReason | null> {
    const { path, hunks, name, decision } = part;
    const options = hunks && { hunks };
    let left = 0;
    // The key of a hunk names its lines; a whole change has no such proof of what was seen.
    await this.#perform(path, hunks === undefined, async () => {
      if (decision === "leave") {
        left = (await this.client.reject(path, options)).version;
      } else {
        await this.client.keep(path, decision === "take" ? options : { ...options, isKept: false });
      }
      // To take a part, or to untake it, is no step.
      await this.#load(path, left === 0 ? 0 : 1);
      this.#onDecision({ decision, paths: [path], hunks: hunks ?? null, reason: "" });
      const words = END_WORDS[decision];
      return words === "" ? "" : `${name}: ${words}.`;
    });
    return left === 0 ? null : (reason) => void this.#explain(part, left, reason);
  }

  /** Passes on why a part was left, which moves nothing. */
  async #explain({ path, hunks, name }: DecidedPart, of: number, reason: string): Promise<void> {
    try {
      await this.client.reject(path, { of, reason });
      this.#onDecision({ decision: "reason", paths: [path], hunks: hunks ?? null, reason });
      this.#screen.say(`${name}: the agent gets the reason.`);
    } catch (error) {
      this.#screen.showProblem(sentenceOf(error), path);
    }
  }

  /** Takes the last step back, or brings back what was taken back last. */
  stepBack(decision: "undo" | "redo"): Promise<void> {
    return this.#perform(null, true, async () => {
      const concerned = standingSteps(this.#shown.steps)[decision];
      const { step } = await this.client[decision]();
      await this.#load(null);
      if (step === null) {
        return `There is nothing to ${decision}.`;
      }
      const { paths } = step;
      this.#onDecision({ decision, paths, hunks: null, reason: "" });
      const words = wordStep(concerned ?? step)
        .join(" ")
        .trim();
      return `${decision === "undo" ? "Undone" : "Redone"}: ${words}.`;
    });
  }

  /** Passes on the file of an export, unless the changes have moved since they were shown. */
  export(
    format: ExportFormat,
    leaveOut: readonly string[],
    pass: (file: ExportedFile) => void,
  ): Promise<void> {
    return this.#perform(null, true, async () => {
      const file = packExport(format, await this.client.exportChanges({ format, leaveOut }));
      pass(file);
      return `Exported ${file.fileName}.`;
    });
  }

  /** Performs an action and says its words; or says why not, at `path`. */
  async #perform(
    path: string | null,
    needsAllAsShown: boolean,
    perform: () => Promise<string>,
  ): Promise<void> {
    if (this.#isBusy) {
      return;
    }
    this.#isBusy = true;
    try {
      const isStale =
        needsAllAsShown && (await this.client.changes()).version !== this.#shown.version;
      if (isStale) {
        await this.#showStale(path);
      } else {
        this.#screen.say(await perform());
      }
    } catch (error) {
      await (error instanceof Error && STALE.test(error.name)
        ? this.#showStale(path)
        : this.#screen.showProblem(sentenceOf(error), path));
    } finally {
      this.#isBusy = false;
    }
  }

  async #showStale(path: string | null): Promise<void> {
    await this.refresh();
    this.#screen.showProblem(STALE_WORDS, path);
  }

  /** Shows what is proposed, unless a later load does; `ownSteps` are those of a decision at `path`. */
  async #load(path: string | null, ownSteps = 0): Promise<void> {
    this.#lastLoad += 1;
    const load = this.#lastLoad;
    const changes = await this.client.changes();
    if (load === this.#lastLoad) {
      const isOnlyOurs = changes.version === this.#shown.version + ownSteps;
      this.#shown = changes;
      await this.#screen.show(changes, isOnlyOurs ? path : null);
    }
  }
}

/** The detail of `treeglass-export`. */
export interface ExportedFile {
  readonly format: ExportFormat;
  readonly fileName: string;
  readonly blob: Blob;
}

const ENDINGS = { patch: "patch", archive: "zip", manifest: "json" } as const;

function packExport(format: ExportFormat, content: string | Uint8Array | object): ExportedFile {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  // A client's bytes come from a message, so no thread shares them.
  const part = isWhole ? (content as string | Uint8Array<ArrayBuffer>) : renderJson(content);
  return { format, fileName: `changes.${ENDINGS[format]}`, blob: new Blob([part]) };
}
