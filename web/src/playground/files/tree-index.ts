/** The entries of the mounted tree as sorted columns, and the rows that a tree view shows of them. */

import type { TreeEntry } from "../../index.ts";

/** One row of the tree view. */
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

interface Node {
  readonly path: string;
  readonly name: string;
  readonly kind: TreeEntry["kind"];
  readonly children: Node[];
}

/** A tree that is listed whole; 100,000 entries take about 20 MB. */
export class TreeIndex {
  readonly #roots: Node[] = [];
  readonly #nodes = new Map<string, Node>();
  /** The paths of all files, in lower case too, for the filter and the quick open. */
  readonly files: readonly string[];
  readonly #lowerCaseFiles: readonly string[];

  /** Takes entries in the order of `listEntries`, with paths below the mount. */
  constructor(entries: readonly Pick<TreeEntry, "path" | "kind">[]) {
    for (const { path, kind } of entries) {
      const end = path.lastIndexOf("/");
      const node = { path, name: path.slice(end + 1), kind, children: [] };
      this.#nodes.set(path, node);
      (this.#nodes.get(path.slice(0, Math.max(end, 0)))?.children ?? this.#roots).push(node);
    }
    for (const siblings of [this.#roots, ...Array.from(this.#nodes.values(), childrenOf)]) {
      siblings.sort(byKindAndName);
    }
    this.files = entries.filter(({ kind }) => kind !== "directory").map(({ path }) => path);
    this.#lowerCaseFiles = this.files.map((path) => path.toLowerCase());
  }

  has(path: string): boolean {
    return this.#nodes.has(path);
  }

  /** Returns the rows of the open directories; `open` has the paths of those. */
  rows(open: ReadonlySet<string>): readonly TreeRow[] {
    const rows: TreeRow[] = [];
    addRows(rows, this.#roots, 1, (path) => open.has(path));
    return rows;
  }

  /** Returns the rows of the files whose path has the text, with all directories above them open. */
  rowsWith(text: string): readonly TreeRow[] {
    const sought = text.toLowerCase();
    const kept = new Set<string>();
    for (const [index, lower] of this.#lowerCaseFiles.entries()) {
      if (lower.includes(sought)) {
        for (const path of withDirectories(this.files[index] ?? "")) {
          kept.add(path);
        }
      }
    }
    const rows: TreeRow[] = [];
    addRows(rows, this.#roots, 1, (path) => kept.has(path), kept);
    return rows;
  }

  /**
   * Returns the files whose path holds the letters of the text in their order, the best first.
   *
   * Letters in the name count more than those above it, and letters in a row more than others.
   */
  findFiles(text: string, limit: number): readonly string[] {
    const sought = text.toLowerCase().replaceAll(" ", "");
    const scored: { readonly path: string; readonly score: number }[] = [];
    for (const [index, lower] of this.#lowerCaseFiles.entries()) {
      const score = scoreOf(lower, sought);
      if (score !== null) {
        scored.push({ path: this.files[index] ?? "", score });
      }
    }
    scored.sort((left, right) => right.score - left.score);
    return scored.slice(0, limit).map(({ path }) => path);
  }
}

/** Returns a path and the directories above it, the outermost first. */
export function withDirectories(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function childrenOf({ children }: Node): Node[] {
  return children;
}

function byKindAndName(left: Node, right: Node): number {
  const kinds = Number(right.kind === "directory") - Number(left.kind === "directory");
  return kinds || (left.name < right.name ? -1 : 1);
}

function addRows(
  rows: TreeRow[],
  siblings: readonly Node[],
  level: number,
  isOpen: (path: string) => boolean,
  kept?: ReadonlySet<string>,
): void {
  const shown = kept === undefined ? siblings : siblings.filter(({ path }) => kept.has(path));
  for (const [index, { path, name, kind, children }] of shown.entries()) {
    const isOpened = kind === "directory" && isOpen(path);
    const place = { place: index + 1, siblingCount: shown.length };
    rows.push({ path, name, kind, level, isOpen: isOpened, ...place });
    if (isOpened) {
      addRows(rows, children, level + 1, isOpen, kept);
    }
  }
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
