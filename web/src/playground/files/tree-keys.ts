/** The keys of a tree, as the pattern for trees of the ARIA guide has them. */

import type { TreeRow } from "./tree-index.ts";

export type TreeMove =
  | { readonly index: number }
  | { readonly toggle: TreeRow; readonly isOpen: boolean }
  | { readonly choose: TreeRow };

/** Returns what a key does in the tree; null for a key that the tree leaves alone. */
export function moveByKey(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">,
  rows: readonly TreeRow[],
  index: number,
): TreeMove | null {
  const row = rows[index];
  if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) {
    return null;
  }
  switch (event.key) {
    case "ArrowDown":
      return { index: Math.min(index + 1, rows.length - 1) };
    case "ArrowUp":
      return { index: Math.max(index - 1, 0) };
    case "Home":
      return { index: 0 };
    case "End":
      return { index: rows.length - 1 };
    case "ArrowRight":
      return openOrEnter(row, index);
    case "ArrowLeft":
      return closeOrLeave(rows, row, index);
    case "Enter":
    case " ":
      return { choose: row };
    default:
      return byLetter(event.key, rows, index);
  }
}

function openOrEnter(row: TreeRow, index: number): TreeMove | null {
  if (row.kind !== "directory") {
    return null;
  }
  return row.isOpen ? { index: index + 1 } : { toggle: row, isOpen: true };
}

function closeOrLeave(rows: readonly TreeRow[], row: TreeRow, index: number): TreeMove | null {
  if (row.isOpen) {
    return { toggle: row, isOpen: false };
  }
  let above = index;
  while (above >= 0 && (rows[above]?.level ?? 0) >= row.level) {
    above -= 1;
  }
  return above === -1 ? null : { index: above };
}

function byLetter(key: string, rows: readonly TreeRow[], index: number): TreeMove | null {
  if (key.length !== 1) {
    return null;
  }
  const letter = key.toLowerCase();
  const begins = ({ name }: TreeRow) => name.toLowerCase().startsWith(letter);
  const after = rows.findIndex((row, place) => place > index && begins(row));
  const found = after === -1 ? rows.findIndex(begins) : after;
  return found === -1 ? null : { index: found };
}
