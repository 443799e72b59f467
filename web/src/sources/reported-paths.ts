/** Bounds the paths of a report: the path of a refused entry may be of any length. */

const MAX_CHARACTERS = 8192;
/** Characters of all paths together, after which each path gets few. */
const PLENTY_CHARACTERS = 16 * 1024 * 1024;
const FEW_CHARACTERS = 256;

/** Cuts paths that are longer than any tree can have, so that a report stays small. */
export class ReportedPaths {
  #characters = 0;

  /** Returns the path, or its start and an ellipsis if it is too long. */
  show(path: string): string {
    const limit = this.#characters < PLENTY_CHARACTERS ? MAX_CHARACTERS : FEW_CHARACTERS;
    this.#characters += Math.min(path.length, limit);
    return path.length > limit ? `${copy(path.slice(0, limit))}…` : path;
  }
}

/** Copies a slice, which would otherwise keep the whole text in memory. */
function copy(slice: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(slice));
}
