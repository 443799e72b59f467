/** Paths of a report: nothing else bounds them where an entry was refused. */

/** Characters of one path. */
const MAX_CHARACTERS = 8192;
/** Characters of all paths, after which one has few more. */
const PLENTY_CHARACTERS = 16 * 1024 * 1024;
const FEW_CHARACTERS = 256;

/** Cuts paths that are far longer than any tree can have, so that a report stays small. */
export class ReportedPaths {
  #characters = 0;

  /** Returns the path; where it is too long its start, with an ellipsis. */
  show(path: string): string {
    const limit = this.#characters < PLENTY_CHARACTERS ? MAX_CHARACTERS : FEW_CHARACTERS;
    this.#characters += Math.min(path.length, limit);
    return path.length > limit ? `${copy(path.slice(0, limit))}…` : path;
  }
}

/** A slice would keep the whole text in memory. */
function copy(slice: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(slice));
}
