/** The entries of the mounted tree, and the rows that a tree view shows of them. */

import type { TreeEntry } from "../../index.ts";

export interface TreeRow {
  /** The path below the mount. */
  readonly path: string;
  readonly name: string;
  readonly kind: TreeEntry["kind"];
  /** Counts from 1. */
  readonly level: number;
  readonly isOpen: boolean;
  /** The place among its siblings, from 1, and their number. */
  readonly place: number;
  readonly siblingCount: number;
}

export interface FilteredRows {
  readonly rows: readonly TreeRow[];
  /** True if there may be more than `MAX_FILTERED` files. */
  readonly isCut: boolean;
}

/** A filter shows no more files than this. */
export const MAX_FILTERED = 2_000;

interface Node {
  readonly path: string;
  readonly name: string;
  readonly kind: TreeEntry["kind"];
  readonly children: Node[];
  readonly above: Node | null;
}

/** A tree that grows while it is listed; 100,000 entries take about 20 MB. */
export class TreeIndex {
  readonly #roots: Node[] = [];
  readonly #nodes = new Map<string, Node>();
  readonly #files: Node[] = [];
  /** In the order of the files, for the filter and the quick open. */
  readonly #lowerCasePaths: string[] = [];
  /** Siblings are sorted when they are first shown: all of a large tree at once would stop the page. */
  readonly #sorted = new Set<Node[]>();

  /** Adds entries, each after the directory above it; their paths are below the mount. */
  add(entries: readonly Pick<TreeEntry, "path" | "kind">[]): void {
    for (const { path, kind } of entries) {
      const end = path.lastIndexOf("/");
      const above = this.#nodes.get(path.slice(0, Math.max(end, 0))) ?? null;
      const node = { path, name: path.slice(end + 1), kind, children: [], above };
      this.#nodes.set(path, node);
      (above?.children ?? this.#roots).push(node);
      if (kind !== "directory") {
        this.#files.push(node);
        this.#lowerCasePaths.push(path.toLowerCase());
      }
    }
    this.#sorted.clear();
  }

  get entryCount(): number {
    return this.#nodes.size;
  }

  has(path: string): boolean {
    return this.#nodes.has(path);
  }

  /** Returns the rows of the open directories; `open` has the paths of those. */
  rows(open: ReadonlySet<string>): readonly TreeRow[] {
    const rows: TreeRow[] = [];
    this.#addRows(rows, this.#roots, 1, ({ path }) => open.has(path));
    return rows;
  }

  /**
   * Returns the rows of the files whose path has the text, with all directories above them open.
   *
   * Stops at `MAX_FILTERED` files: each key of a filter has to be answered at once.
   */
  rowsWith(text: string): FilteredRows {
    const sought = text.toLowerCase();
    const kept = new Set<Node>();
    let count = 0;
    for (const [index, lower] of this.#lowerCasePaths.entries()) {
      if (count < MAX_FILTERED && lower.includes(sought)) {
        count += 1;
        let node = this.#files[index] ?? null;
        while (node !== null && !kept.has(node)) {
          kept.add(node);
          node = node.above;
        }
      }
    }
    const rows: TreeRow[] = [];
    this.#addRows(rows, this.#roots, 1, (node) => kept.has(node), kept);
    return { rows, isCut: count === MAX_FILTERED };
  }

  /**
   * Returns the files whose path holds the letters of the text in their order, the best first.
   *
   * Letters in the name count more than those above it, and letters in a row more than others.
   */
  findFiles(text: string, limit: number): readonly string[] {
    const sought = text.toLowerCase().replaceAll(" ", "");
    const best: { readonly path: string; readonly score: number }[] = [];
    for (const [index, lower] of this.#lowerCasePaths.entries()) {
      const score = scoreOf(lower, sought);
      const worst = best.length < limit ? -Infinity : (best.at(-1)?.score ?? -Infinity);
      if (score !== null && score > worst) {
        const place = best.findIndex((other) => other.score < score);
        const path = this.#files[index]?.path ?? "";
        best.splice(place === -1 ? best.length : place, 0, { path, score });
        best.length = Math.min(best.length, limit);
      }
    }
    return best.map(({ path }) => path);
  }

  /** Adds the siblings, or those of them that a filter has kept. */
  #addRows(
    rows: TreeRow[],
    siblings: Node[],
    level: number,
    isOpen: (node: Node) => boolean,
    kept?: ReadonlySet<Node>,
  ): void {
    if (!this.#sorted.has(siblings)) {
      siblings.sort(byKindAndName);
      this.#sorted.add(siblings);
    }
    const shown = kept === undefined ? siblings : siblings.filter((node) => kept.has(node));
    for (const [index, node] of shown.entries()) {
      const { path, name, kind, children } = node;
      const isOpened = kind === "directory" && isOpen(node);
      const place = { place: index + 1, siblingCount: shown.length };
      rows.push({ path, name, kind, level, isOpen: isOpened, ...place });
      if (isOpened) {
        this.#addRows(rows, children, level + 1, isOpen, kept);
      }
    }
  }
}

/** Returns a path and the directories above it, the outermost first. */
export function withDirectories(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function byKindAndName(left: Node, right: Node): number {
  const kinds = Number(right.kind === "directory") - Number(left.kind === "directory");
  return kinds || (left.name < right.name ? -1 : 1);
}

const IN_NAME = 3;
const IN_A_ROW = 5;

/** Returns how well a path fits; null if a letter is missing. */
function scoreOf(lower: string, sought: string): number | null {
  const nameStart = lower.lastIndexOf("/") + 1;
  // The name alone first: a letter that fits above it would hide the better place.
  const inName = matchFrom(lower, sought, nameStart, nameStart);
  return inName ?? matchFrom(lower, sought, 0, nameStart);
}

function matchFrom(lower: string, sought: string, start: number, nameStart: number) {
  let score = -lower.length / 1000;
  let position = start;
  let previous = -2;
  for (const letter of sought) {
    const found = lower.indexOf(letter, position);
    if (found === -1) {
      return null;
    }
    score += 1 + (found >= nameStart ? IN_NAME : 0) + (found === previous + 1 ? IN_A_ROW : 0);
    previous = found;
    position = found + letter.length;
  }
  return score;
}
