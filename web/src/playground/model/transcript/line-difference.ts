/** The lines in which two texts differ, for a person who compares them. */

/** Lines that are the same, beside each difference. */
const CONTEXT_LINES = 2;

/** The most pairs of lines that are compared; beyond it, the old lines stand before the new ones. */
const MAX_PAIRS = 1_000_000;

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
  const isSame = (line: string, index: number) => line === now[index];
  const start = old.findIndex((line, index) => !isSame(line, index));
  const same = start < 0 ? old.length : start;
  let end = 0;
  const most = Math.min(old.length, now.length) - same;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  const marked = [
    ...old.slice(0, same).map(unchanged),
    ...compare(old.slice(same, old.length - end), now.slice(same, now.length - end)),
    ...old.slice(old.length - end).map(unchanged),
  ];
  return withContext(marked).join("\n");
}

function unchanged(line: string): MarkedLine {
  return { mark: " ", line };
}

/** Marks the lines by their longest common sequence. */
function compare(old: readonly string[], now: readonly string[]): MarkedLine[] {
  const removed = old.map((line): MarkedLine => ({ mark: "-", line }));
  const added = now.map((line): MarkedLine => ({ mark: "+", line }));
  if (old.length * now.length > MAX_PAIRS) {
    return [...removed, ...added];
  }
  const lengths = commonLengths(old, now);
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  const marked: MarkedLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      marked.push(unchanged(old[row] ?? ""));
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      marked.push(...removed.slice(row, row + 1));
      row += 1;
    } else {
      marked.push(...added.slice(column, column + 1));
      column += 1;
    }
  }
  return [...marked, ...removed.slice(row), ...added.slice(column)];
}

/** Returns how many lines the rest from each pair of places has in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let row = old.length - 1; row >= 0; row -= 1) {
    const [here, below] = [rows[row], rows[row + 1]];
    for (let column = now.length - 1; here !== undefined && column >= 0; column -= 1) {
      const diagonal = (below?.[column + 1] ?? 0) + 1;
      const longest = Math.max(below?.[column] ?? 0, here[column + 1] ?? 0);
      here[column] = old[row] === now[column] ? diagonal : longest;
    }
  }
  return rows;
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
