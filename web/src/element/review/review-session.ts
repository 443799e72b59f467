/** Carries out what a person decides, and keeps what is shown up to date; draws nothing. */

import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { standingSteps, wordStep } from "./change-words.ts";
import { type ExportedFile, packExport } from "./exported-file.ts";
import type { Changes, ExportFormat, FileDiff, ReviewedClient } from "./reviewed-client.ts";

/** A change, or some of its hunks. */
export interface DecidedPart {
  readonly path: string;
  /** Keys; undefined is the whole change. */
  readonly hunks?: readonly string[];
  /** The part for a sentence, such as `Hunk 1 of 3 in /repo/a.py`. */
  readonly name: string;
}

/** The detail of `treeglass-decision`. */
export interface ReviewDecision {
  readonly decision: "take" | "leave" | "undo" | "redo";
  /** The paths that it moved. */
  readonly paths: readonly string[];
  /** Keys of hunks; null if the decision was about whole changes. */
  readonly hunks: readonly string[] | null;
  /** Why a change is left; "" without a reason. */
  readonly reason: string;
}

export interface SessionListener {
  /** What is proposed now. Only the lines at `path` may have moved; null is any path. */
  readonly onChanges: (changes: Changes, path: string | null) => Promise<void>;
  readonly onDecision: (decision: ReviewDecision) => void;
  /** Something happened that has to be spoken. */
  readonly onSaid: (words: string) => void;
  /** Something was refused; at a path, or null. */
  readonly onProblem: (words: string, path: string | null) => void;
}

const STALE: ReadonlySet<unknown> = new Set(["StaleHunk", "UnknownHunk", "UnknownChange"]);

const NO_CHANGES: Changes = { version: 0, entries: [], steps: [] };

/** Runs one decision at a time, and ignores clicks meanwhile. */
export class ReviewSession {
  readonly #client: ReviewedClient;
  readonly #listener: SessionListener;
  #shown = NO_CHANGES;
  #lastLoad = 0;
  /** Whether a load that a later one replaced was of all paths. */
  #isAllStale = false;
  #isBusy = false;

  constructor(client: ReviewedClient, listener: SessionListener) {
    this.#client = client;
    this.#listener = listener;
  }

  /** Loads and shows what is proposed. Reports a failure, and never rejects. */
  async refresh(): Promise<void> {
    try {
      await this.#load(null);
    } catch (error) {
      this.#listener.onProblem(sentenceOf(error), null);
    }
  }

  diff(path: string): Promise<FileDiff> {
    return this.#client.diff(path);
  }

  take(part: DecidedPart): Promise<void> {
    const { path, hunks, name } = part;
    return this.#decide(part, async () => {
      await this.#client.keep(path, hunks && { hunks });
      await this.#load(path);
      this.#tell({ decision: "take", paths: [path], hunks: hunks ?? null, reason: "" });
      this.#listener.onSaid(`${name}: taken.`);
    });
  }

  leave(part: DecidedPart, reason: string): Promise<void> {
    const { path, hunks, name } = part;
    return this.#decide(part, async () => {
      await this.#client.reject(path, { ...(hunks && { hunks }), ...(reason && { reason }) });
      await this.#load(path);
      this.#tell({ decision: "leave", paths: [path], hunks: hunks ?? null, reason });
      this.#listener.onSaid(`${name}: left.`);
    });
  }

  /** Takes the last step back, or brings back what was taken back last. */
  stepBack(decision: "undo" | "redo"): Promise<void> {
    return this.#exclusively(null, async () => {
      if (await this.#hasMoved(null)) {
        return;
      }
      const concerned = standingSteps(this.#shown.steps)[decision];
      const { step } = await this.#client[decision]();
      await this.#load(null);
      const verb = decision === "undo" ? "Undone" : "Redone";
      if (step === null) {
        this.#listener.onSaid(`There is nothing to ${decision}.`);
        return;
      }
      this.#tell({ decision, paths: step.paths, hunks: null, reason: "" });
      this.#listener.onSaid(`${verb}: ${wordStep(concerned ?? step)}.`);
    });
  }

  /** Passes on the file of an export, unless the changes have moved since they were shown. */
  export(
    format: ExportFormat,
    leaveOut: readonly string[],
    pass: (file: ExportedFile) => void,
  ): Promise<void> {
    return this.#exclusively(null, async () => {
      if (await this.#hasMoved(null)) {
        return;
      }
      const file = packExport(format, await this.#client.exportChanges({ format, leaveOut }));
      pass(file);
      const left = formatCounted(leaveOut.length, "change is", "changes are");
      const rest = leaveOut.length === 0 ? "" : `; ${left} left out`;
      this.#listener.onSaid(`Exported ${file.fileName}${rest}.`);
    });
  }

  #decide(part: DecidedPart, decide: () => Promise<void>): Promise<void> {
    return this.#exclusively(part.path, async () => {
      // A key names the lines of a hunk; the whole change has no such proof of what was seen.
      if (part.hunks !== undefined || !(await this.#hasMoved(part.path))) {
        await decide();
      }
    });
  }

  async #exclusively(path: string | null, perform: () => Promise<void>): Promise<void> {
    if (this.#isBusy) {
      return;
    }
    this.#isBusy = true;
    try {
      await perform();
    } catch (error) {
      await this.#report(error, path);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Returns whether a step came after what is shown; then shows it, and says so. */
  async #hasMoved(path: string | null): Promise<boolean> {
    const { version } = await this.#client.changes();
    if (version === this.#shown.version) {
      return false;
    }
    await this.#load(null);
    this.#listener.onProblem(
      "The changes have moved on since they were shown, so nothing was done. They are up to date now: look at them again.",
      path,
    );
    return true;
  }

  async #report(error: unknown, path: string | null): Promise<void> {
    if (path === null || !isStale(error)) {
      this.#listener.onProblem(sentenceOf(error), path);
      return;
    }
    await this.refresh();
    const isThere = this.#shown.entries.some((entry) => entry.path === path);
    const words = isThere
      ? "This change has moved on since it was shown, so nothing was decided. It is up to date now: look at it again."
      : `${escapePath(path)} is no longer changed, so nothing was decided.`;
    this.#listener.onProblem(words, isThere ? path : null);
  }

  /** Shows what is proposed, unless a later load has shown it already. */
  async #load(path: string | null): Promise<void> {
    this.#lastLoad += 1;
    const load = this.#lastLoad;
    this.#isAllStale ||= path === null;
    const changes = await this.#client.changes();
    if (load === this.#lastLoad) {
      // A decision is one step at most; with more of them, another's step is among them.
      const isOnlyOurs = !this.#isAllStale && changes.version <= this.#shown.version + 1;
      this.#isAllStale = false;
      this.#shown = changes;
      await this.#listener.onChanges(changes, isOnlyOurs ? path : null);
    }
  }

  #tell(decision: ReviewDecision): void {
    this.#listener.onDecision(decision);
  }
}

/** The client's errors name their kind; another client's may have it as their name. */
function isStale(error: unknown): boolean {
  const { name, kind }: { name?: unknown; kind?: unknown } = error instanceof Error ? error : {};
  return STALE.has(name) || STALE.has(kind);
}
