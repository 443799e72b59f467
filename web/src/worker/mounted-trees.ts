/** The trees in the interpreter's filesystem, each under an internal directory of its own. */
import type { DirectoryEntry } from "../sources/tree.ts";
import { ByteCache } from "./byte-cache.ts";
import type { EmscriptenFs } from "./emscripten-fs.ts";
import { createTreeFs } from "./treefs.ts";

/** Numbered and apart from the interpreter's files, so a tree mounted at `/lib` hides nothing. */
const MOUNTS_DIRECTORY = "/treeglass/mounts";

/** Puts trees into the interpreter's filesystem and takes them away again. */
export class MountedTrees {
  readonly #fs: EmscriptenFs;
  readonly #cache = new ByteCache();
  #made = 0;

  constructor(fs: EmscriptenFs) {
    this.#fs = fs;
  }

  /** Returns the internal directory where the tree now is; inverse of `remove`. */
  add(root: DirectoryEntry): string {
    this.#made += 1;
    const host = `${MOUNTS_DIRECTORY}/${this.#made}`;
    this.#fs.mkdirTree(host);
    this.#fs.mount(createTreeFs(this.#fs, root, this.#cache), {}, host);
    return host;
  }

  /** Takes a tree away, and what was kept of it; inverse of `add`. */
  remove(host: string): void {
    this.#fs.unmount(host);
    this.#fs.rmdir(host);
    this.#cache.clear();
  }
}
