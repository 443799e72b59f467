/** The trees in the interpreter's filesystem, each under an internal directory of its own. */
import { escapePath } from "../lib/spelling.ts";
import type { DeferredDirectory, DirectoryEntry } from "../sources/tree.ts";
import { ByteCache } from "./byte-cache.ts";
import { CallView } from "./call-view.ts";
import type { EmscriptenFs } from "./emscripten-fs.ts";
import type { LateModules } from "./start/late-modules.ts";
import type { Runtime } from "./start/runtime.ts";
import { createTreeFs, type TreeFs } from "./treefs.ts";

/** Entries that one call tells of because they could not be had; a walk may meet thousands. */
const MAX_FAULTS = 20;

/** Puts trees into the interpreter's filesystem and takes them away again. */
export class MountedTrees {
  readonly #fs: EmscriptenFs;
  readonly #late: LateModules | null;
  readonly #cache = new ByteCache();
  readonly #view = new CallView();
  readonly #trees = new Map<string, TreeFs>();
  readonly #faults = new Map<string, string>();
  readonly #nextDirectory: () => string;

  /** `nextDirectory` returns an internal directory that no tree had before, of any client. */
  constructor({ fs, late }: Pick<Runtime, "fs" | "late">, nextDirectory: () => string) {
    this.#fs = fs;
    this.#late = late;
    this.#nextDirectory = nextDirectory;
  }

  /**
   * Returns the internal directory where the tree now is; inverse of `remove`.
   *
   * `path` is where the tools see it.
   */
  add(root: DirectoryEntry | DeferredDirectory, path: string): string {
    const host = this.#nextDirectory();
    const reportError = (names: readonly string[], reason: string) => {
      if (this.#faults.size < MAX_FAULTS) {
        this.#faults.set(escapePath([path, ...names].join("/")), escapePath(reason));
      }
    };
    const tree = createTreeFs(this.#fs, root, {
      cache: this.#cache,
      view: this.#view,
      reportError,
    });
    this.#fs.mkdirTree(host);
    this.#fs.mount(tree.type, {}, host);
    this.#trees.set(host, tree);
    return host;
  }

  /** Takes a tree away, and what was kept of it; inverse of `add`. */
  remove(host: string): void {
    this.#trees.delete(host);
    this.#fs.unmount(host);
    this.#fs.rmdir(host);
    this.#cache.clear();
  }

  /**
   * Runs what looks at the trees until it missed nothing, and returns its last outcome, with a
   * sentence for each entry that could not be had.
   *
   * Rejects with the signal's reason once that aborts.
   */
  async look<Outcome>(
    run: () => Outcome,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly faults: readonly string[] }> {
    // What was given up without an end, as by a host that drops a request, has left it as it was.
    this.#forget();
    try {
      let finish = attempt(run);
      while (this.#view.isMissing || this.#late?.isMissing) {
        this.#faults.clear();
        await this.#late?.wait(signal);
        await this.#view.wait(signal);
        finish = attempt(run);
      }
      const outcome = finish();
      const faults = [...this.#faults].map(
        ([path, reason]) => `'${path}' cannot be read: ${reason}`,
      );
      return { outcome, faults };
    } finally {
      this.#forget();
    }
  }

  #forget(): void {
    this.#faults.clear();
    this.#view.forget();
    this.#late?.forget();
    for (const tree of this.#trees.values()) {
      tree.forget();
    }
  }
}

/** Runs at once; what came of it, a throw too, counts only where it is asked for. */
function attempt<Outcome>(run: () => Outcome): () => Outcome {
  try {
    const outcome = run();
    return () => outcome;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
