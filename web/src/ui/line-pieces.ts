/** A line that a search has found, in pieces that match and pieces that do not. */
import type { FoundMatch } from "./found-matches.ts";

/** A longer line is cut around its first match. */
const MAX_LINE_CHARACTERS = 400;
const CHARACTERS_BEFORE_A_MATCH = 80;

export interface LinePiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Returns the pieces of a line, without its end; an ellipsis stands for what is cut off. */
export function cutIntoPieces({ text, marks }: FoundMatch): readonly LinePiece[] {
  const isCut = text.length > MAX_LINE_CHARACTERS;
  const from = isCut ? Math.max(0, (marks[0]?.[0] ?? 0) - CHARACTERS_BEFORE_A_MATCH) : 0;
  const to = isCut ? from + MAX_LINE_CHARACTERS : text.length;
  const pieces: LinePiece[] = [{ text: from > 0 ? "…" : "", isMatch: false }];
  let at = from;
  for (const [start, end] of marks.filter(([start, end]) => start >= from && end <= to)) {
    pieces.push({ text: text.slice(at, start), isMatch: false });
    pieces.push({ text: text.slice(start, end), isMatch: true });
    at = end;
  }
  const rest = text.slice(at, to).replace(/[\r\n]+$/, "");
  pieces.push({ text: `${rest}${to < text.length ? "…" : ""}`, isMatch: false });
  return pieces.filter((piece) => piece.text !== "");
}
