/** The lines in which two texts differ, for a person who compares them. */

import { diffArrays } from "diff";

/** Lines that are the same, beside each difference. */
const CONTEXT_LINES = 2;

/** The most lines that are searched for; beyond it, the old lines stand before the new ones. */
const MAX_EDITS = 2000;

/** A line with its mark: `-` is only in the old text, `+` only in the new one. */
interface MarkedLine {
  readonly mark: "-" | "+" | " ";
  readonly line: string;
}

/**
 * Returns the lines that differ, each after its mark, with two lines around them.
 *
 * `…` stands for lines that are the same and are left out. Empty if no line differs.
 */
export function differenceOf(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  const marked = parts.flatMap(({ value, added, removed }) =>
    value.map((line): MarkedLine => ({ mark: added ? "+" : removed ? "-" : " ", line })),
  );
  return withContext(marked).join("\n");
}

function withContext(marked: readonly MarkedLine[]): string[] {
  const isNear = (index: number) =>
    marked
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(({ mark }) => mark !== " ");
  const shown: string[] = [];
  for (const [index, { mark, line }] of marked.entries()) {
    if (isNear(index)) {
      shown.push(`${mark} ${line}`);
    } else if (shown.at(-1) !== "…") {
      shown.push("…");
    }
  }
  return shown.every((line) => line === "…") ? [] : shown;
}
