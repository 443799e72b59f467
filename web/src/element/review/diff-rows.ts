/** Numbers the lines of a hunk, and cuts long ones, without access to the page. */
import type { DiffLine, Hunk } from "./reviewed-client.ts";

export interface Row {
  readonly sign: DiffLine[0];
  /** Without its line end; words for the sign `\`. */
  readonly text: string;
  /** The line's number in the file before; "" if the file before lacks it. */
  readonly before: number | "";
  readonly after: number | "";
}

/** More characters than a written line has; minified files have lines of a million. */
const LINE_CHARACTERS = 400;
const MORE_CHARACTERS = 20_000;
/** A cut that hides fewer characters costs more room than they do. */
const FEW_CHARACTERS = 100;
/** As the style sheet has it. */
const TAB_COLUMNS = 4;
const MAX_INDENT_COLUMNS = 16;

/** Returns whether every line ends with CR LF, so that no line has to show it. */
export function areAllCrLf(lines: readonly DiffLine[]): boolean {
  return lines.every(
    ([sign, text], index) => sign === "\\" || text.endsWith("\r") || lines[index + 1]?.[0] === "\\",
  );
}

/** Returns the rows of a hunk; of one whose lines all end with CR LF, without the CR. */
export function rowsOf({
  lines,
  beforeStart,
  afterStart,
}: Pick<Hunk, "lines" | "beforeStart" | "afterStart">): Row[] {
  const isCrLf = areAllCrLf(lines);
  let before = beforeStart;
  let after = afterStart;
  return lines.map(([sign, text]) => {
    const isNote = sign === "\\";
    return {
      sign,
      text: isNote
        ? "No line feed at the end of the file"
        : isCrLf
          ? text.replace(/\r$/, "")
          : text,
      before: isNote || sign === "+" ? "" : before++,
      after: isNote || sign === "-" ? "" : after++,
    };
  });
}

/**
 * Returns by how many columns the wrapped rest of a line is indented, as its beginning is.
 *
 * Deep indentation is cut, since a phone has few columns. Tabs keep their stops.
 */
export function indentOf(text: string): number {
  const blanks = text.match(/^[ \t]*/)?.[0] ?? "";
  let columns = 0;
  for (const blank of blanks) {
    columns += blank === "\t" ? TAB_COLUMNS - (columns % TAB_COLUMNS) : 1;
  }
  const indent = blanks.includes("\t") ? columns - (columns % TAB_COLUMNS) : columns;
  return Math.min(indent, MAX_INDENT_COLUMNS);
}

/** Returns the end of what is shown of a line next; the line's length if all of it fits. */
export function nextCut(text: string, shown: number): number {
  const end = shown === 0 ? LINE_CHARACTERS : shown + MORE_CHARACTERS;
  if (text.length <= end + FEW_CHARACTERS) {
    return text.length;
  }
  const isBetweenSurrogates = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isBetweenSurrogates ? end - 1 : end;
}
