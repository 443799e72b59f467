/** Where an interpreter has the trees of its clients. */

/** Apart from the interpreter's files, so that a tree mounted at `/lib` hides nothing. */
const MOUNTS_DIRECTORY = "/treeglass/mounts";

/** Numbers the internal directories of one interpreter, whichever client they are for. */
export class MountDirectories {
  #made = 0;

  /** Returns one that no tree had before. */
  next(): string {
    this.#made += 1;
    return `${MOUNTS_DIRECTORY}/${this.#made}`;
  }
}
