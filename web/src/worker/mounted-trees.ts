/** The trees that one client has mounted, each under an internal directory of its own. */
import { escapePath } from "../lib/spelling.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { DeferredDirectory, DirectoryEntry } from "../sources/tree.ts";
import { InterpreterFailed, LateCodeMissing } from "./bridge.ts";
import { BulkReader } from "./bulk-reader.ts";
import { ByteCache, ReadAhead } from "./byte-cache.ts";
import { CallView } from "./call-view.ts";
import type { LateModules } from "./start/late-files.ts";
import type { Runtime } from "./start/runtime.ts";
import { TreeCalls } from "./tree-calls.ts";
import { type CallReads, TreeReader } from "./tree-reader.ts";

export interface RequestContext {
  /** Aborted when the caller abandons the request. */
  readonly signal: AbortSignal;
  readonly report: (event: ProgressEvent) => void;
}

/** A request that nothing stops, and whose progress is not reported. */
export const UNHEARD: RequestContext = {
  signal: new AbortController().signal,
  report: () => undefined,
};

/** Unreadable entries that one call names; a walk may meet thousands. */
const MAX_FAULTS = 20;

/**
 * Adds trees and removes them, and runs calls that read them.
 *
 * Each of the four that a read may need is made by the first read that needs it: most calls need
 * none of them. All but the cache end with the call, since the next one reads everything anew.
 */
export class MountedTrees implements CallReads {
  readonly #late: LateModules | null;
  #cache: ByteCache | null = null;
  #view: CallView | null = null;
  #readAhead: ReadAhead | null = null;
  #bulk: BulkReader | null = null;
  readonly #trees = new Map<string, TreeReader>();
  readonly #faults = new Map<string, string>();
  readonly #nextDirectory: () => string;
  readonly calls: TreeCalls;

  /** `nextDirectory` returns an internal directory that no tree of any client had before. */
  constructor({ late }: Pick<Runtime, "late">, nextDirectory: () => string) {
    this.#late = late;
    this.#nextDirectory = nextDirectory;
    this.calls = new TreeCalls(this.#trees, this, () => this.#isMissing);
  }

  get cache(): ByteCache {
    this.#cache ??= new ByteCache();
    return this.#cache;
  }

  get view(): CallView {
    this.#view ??= new CallView();
    return this.#view;
  }

  get readAhead(): ReadAhead {
    this.#readAhead ??= new ReadAhead();
    return this.#readAhead;
  }

  get bulk(): BulkReader {
    this.#bulk ??= new BulkReader(this.cache);
    return this.#bulk;
  }

  /**
   * Adds a tree and returns its internal directory; inverse of `remove`.
   *
   * `path` is where the tools see the tree.
   */
  add(root: DirectoryEntry | DeferredDirectory, path: string): string {
    const host = this.#nextDirectory();
    const reportError = (names: readonly string[], reason: string) => {
      if (this.#faults.size < MAX_FAULTS) {
        this.#faults.set(escapePath([path, ...names].join("/")), escapePath(reason));
      }
    };
    this.#trees.set(host, new TreeReader(root, this, reportError));
    return host;
  }

  remove(host: string): void {
    this.#trees.delete(host);
    this.#cache?.clear();
  }

  /** True if the present run does not count, since another one follows a wait. */
  get #isMissing(): boolean {
    return this.#view?.isMissing === true || (this.#late !== null && this.#late.missed.size > 0);
  }

  /**
   * Runs a function that reads the trees, again after each wait for content that it missed.
   *
   * Returns the outcome of the run that missed nothing, with a sentence for each entry that cannot
   * be read. If the run throws that a path is unreadable, rejects with the source's own reason.
   * Rejects with the signal's reason once that aborts. `report` is told how far a long wait is.
   */
  async runUntilComplete<Outcome>(
    run: () => Outcome,
    { signal, report }: RequestContext,
  ): Promise<{ readonly outcome: Outcome; readonly faults: readonly string[] }> {
    // A host may have dropped the last request without ending it; then its marks are still there.
    this.#forget();
    try {
      let finish = attempt(run);
      while (this.#isMissing) {
        this.#faults.clear();
        await this.#late?.wait(signal);
        await this.#view?.wait(signal, (loaded, total) =>
          report({ phase: "content", loaded, total }),
        );
        finish = attempt(run);
      }
      const outcome = this.#orReason(finish);
      const faults = [...this.#faults].map(
        ([path, reason]) => `'${path}' cannot be read: ${reason}`,
      );
      return { outcome, faults };
    } finally {
      this.#forget();
    }
  }

  /** Names what the source has said: the wheel knows only the number of an error. */
  #orReason<Outcome>(finish: () => Outcome): Outcome {
    try {
      return finish();
    } catch (error) {
      const fault = [...this.#faults].at(-1);
      if (fault === undefined || !isUnreadable(error)) {
        throw error;
      }
      const [path, reason] = fault;
      throw new TreeglassError("PathUnreadable", `${path} cannot be read: ${reason}`, {
        cause: error,
      });
    }
  }

  #forget(): void {
    this.#faults.clear();
    this.#view = null;
    this.#readAhead = null;
    this.#bulk = null;
    this.#late?.missed.clear();
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof TreeglassError && error.name === "PathUnreadable";
}

/**
 * Runs now and returns or throws the outcome later, when the caller decides that it counts.
 *
 * Throws at once if the interpreter has died for want of late code.
 */
function attempt<Outcome>(run: () => Outcome): () => Outcome {
  try {
    const outcome = run();
    return () => outcome;
  } catch (error) {
    // The interpreter has died in the middle of a function, so it cannot run again. Other failures
    // may be an import whose archive has not arrived: that runs again.
    if (error instanceof InterpreterFailed && error.cause instanceof LateCodeMissing) {
      throw error;
    }
    return () => {
      throw error;
    };
  }
}
