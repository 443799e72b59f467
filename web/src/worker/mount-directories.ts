/** Internal directories for the trees of all clients of one interpreter. */

/** Away from the interpreter's own files, so that a tree mounted at `/lib` hides none of them. */
export const MOUNTS_DIRECTORY = "/treeglass/mounts";

/** Numbers the internal directories of one interpreter. */
export class MountDirectories {
  #made = 0;

  /** Returns a directory that no tree had before. */
  next(): string {
    this.#made += 1;
    return `${MOUNTS_DIRECTORY}/${this.#made}`;
  }
}
