/** Loads the modules beside this script when a demo needs them: the client, and further views. */
import type * as ClientModule from "../../index.ts";
import type * as ViewsModule from "../views.ts";

/** Looks like a `TreeglassError`, whose class is in the module that did not load. */
class ModuleNotLoaded extends Error {
  override readonly name = "StartFailed";

  constructor(file: string, cause: unknown) {
    super(
      `The tools could not be loaded: ${file}, the file beside element.js, did not load. Check the network and the page's policy (script-src), and run again.`,
      { cause },
    );
  }
}

/**
 * A module that all demos of the page share.
 *
 * An import from a second address would load a second module, so one that has succeeded is kept.
 */
class LateModule<Module> {
  readonly #file: string;
  readonly #import: () => Promise<Module>;
  #importing: Promise<Module> | null = null;
  #failures = 0;

  constructor(file: string, importModule: () => Promise<Module>) {
    this.#file = file;
    this.#import = importModule;
  }

  /** Rejects with an error that has the name `StartFailed`; the next call tries again. */
  load(): Promise<Module> {
    this.#importing ??= this.#tryImport().catch((error: unknown) => {
      this.#importing = null;
      throw error;
    });
    return this.#importing;
  }

  async #tryImport(): Promise<Module> {
    try {
      return await (this.#failures < 2 ? this.#import() : this.#importAnew());
    } catch (cause) {
      this.#failures += 1;
      if (this.#failures === 2) {
        return this.#tryImport();
      }
      throw new ModuleNotLoaded(this.#file, cause);
    }
  }

  /** Imports from a new address, since Firefox never retries the address of a failed import. */
  #importAnew(): Promise<Module> {
    // Without `new URL`: bundlers would look for a file to bundle.
    const beside = `${this.#file}?retry=${this.#failures}`;
    return import(import.meta.url.replace(/[^/]*([?#].*)?$/, beside));
  }
}

const client = new LateModule<typeof ClientModule>("index.js", () => import("../../index.ts"));

const views = new LateModule<typeof ViewsModule>("element-views.js", () => import("../views.ts"));

export function loadClientModule(): Promise<typeof ClientModule> {
  return client.load();
}

/** Files, form and menu, which many pages never need. */
export function loadViewsModule(): Promise<typeof ViewsModule> {
  return views.load();
}
