/** Cuts the part of a text around the first word that was found. */

export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

const BEFORE = 60;
const LENGTH = 220;

/**
 * Returns the pieces of an excerpt, of 220 characters about; an ellipsis stands where it is cut.
 *
 * @param words In lower case; a word counts where a word of the text begins with it.
 */
export function excerpt(text: string, words: readonly string[]): Piece[] {
  const places = placesOf(text, words);
  const first = places[0]?.[0] ?? 0;
  const start = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const end = start + LENGTH >= text.length ? text.length : wordEnd(text, start + LENGTH);
  const pieces: Piece[] = [];
  let position = start;
  const push = (to: number, isFound: boolean) => {
    if (to > position) {
      pieces.push({ text: text.slice(position, to), isFound });
      position = to;
    }
  };
  for (const [from, to] of places) {
    if (from >= position && to <= end) {
      push(from, false);
      push(to, true);
    }
  }
  push(end, false);
  const cut = { text: "…", isFound: false };
  return [...(start > 0 ? [cut] : []), ...pieces, ...(end < text.length ? [cut] : [])];
}

function wordEnd(text: string, from: number): number {
  const blank = text.indexOf(" ", from);
  return blank === -1 ? text.length : blank;
}

/** Returns where the words stand, each as its start and its end, in the order of the text. */
function placesOf(text: string, words: readonly string[]): [number, number][] {
  if (words.length === 0) {
    return [];
  }
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  escaped.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${escaped.join("|")})`, "giu");
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length]);
}
