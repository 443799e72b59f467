/** Numbers the lines of a hunk, and cuts long ones, without access to the page. */
import type { DiffLine, Hunk } from "./reviewed-client.ts";

/** How a line stands in the diff; `note` says that the line above has no line feed. */
export type RowKind = "same" | "added" | "removed" | "note";

export interface Row {
  readonly kind: RowKind;
  /** Without its line end. */
  readonly text: string;
  /** The line's number in the file before; null if the file before lacks it. */
  readonly before: number | null;
  readonly after: number | null;
}

const KINDS = { " ": "same", "+": "added", "-": "removed", "\\": "note" } as const;

/** More characters than a written line has; minified files have lines of a million. */
const LINE_CHARACTERS = 400;
const MORE_CHARACTERS = 20_000;

/** Returns whether every line ends with CR LF, so that no line has to show it. */
export function areAllCrLf(lines: readonly DiffLine[]): boolean {
  const ended = lines.filter(([sign], index) => sign !== "\\" && lines[index + 1]?.[0] !== "\\");
  return ended.length > 0 && ended.every(([, text]) => text.endsWith("\r"));
}

/** Returns the rows of a hunk; of one whose lines all end with CR LF, without the CR. */
export function rowsOf(hunk: Hunk): Row[] {
  const isCrLf = areAllCrLf(hunk.lines);
  let before = hunk.beforeStart;
  let after = hunk.afterStart;
  return hunk.lines.map(([sign, text]) => {
    const kind = KINDS[sign];
    return {
      kind,
      text: isCrLf ? text.replace(/\r$/, "") : text,
      before: kind === "same" || kind === "removed" ? before++ : null,
      after: kind === "same" || kind === "added" ? after++ : null,
    };
  });
}

/** Returns the end of what is shown of a line next; the line's length if all of it fits. */
export function nextCut(text: string, shown: number): number {
  const end = shown === 0 ? LINE_CHARACTERS : shown + MORE_CHARACTERS;
  // A cut that hides a few characters costs more room than they do.
  if (text.length <= end + LINE_CHARACTERS / 4) {
    return text.length;
  }
  const isBetweenSurrogates = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isBetweenSurrogates ? end - 1 : end;
}

/** Returns a list in blocks of a size. */
export function inBlocks<Item>(items: readonly Item[], size: number): Item[][] {
  const blocks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) {
    blocks.push(items.slice(start, start + size));
  }
  return blocks;
}
