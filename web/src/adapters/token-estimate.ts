/** Estimates the tokens of a text without the model's tokenizer. */

/** Words with the digits in them, runs of white space, and everything else a character at a time. */
const PIECE = /[A-Za-z0-9]+|\s+|[^A-Za-z0-9\s]/gu;

/** How tokenizers cut a word: `parseHTMLFast2025` has five. */
const SEGMENT = /[A-Z]*[a-z]+|[A-Z]+|[0-9]{1,3}/g;

/** The longest word, or part of one, that tokenizers know as a whole. */
const KNOWN_LETTERS = 4;

/** Letters of a token in the rest of a longer word. */
const FURTHER_LETTERS = 6;

/** White space of a token in a long run. */
const BLANK_RUN = 16;

/** The cost of a space, which most often begins the next word's token. */
const SPACE_TOKENS = 0.15;

const SYMBOL_TOKENS = 0.8;

/** The extra cost of a sign after a number. */
const DIGITS_REST = 0.2;

/**
 * Returns an estimate of the tokens that a model reads, more often too high than too low.
 *
 * From the count of current GPT tokenizers to about twice it, for listings, code and prose. Long
 * runs of random lower-case letters may be more tokens than the estimate.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    tokens += tokensOf(piece);
  }
  return Math.ceil(tokens);
}

function tokensOf(piece: string): number {
  const segments = piece.match(SEGMENT);
  if (segments !== null) {
    return wordTokens(piece, segments);
  }
  if (piece === " ") {
    return SPACE_TOKENS;
  }
  const codePoint = piece.codePointAt(0) ?? 0;
  if (/^\s/u.test(piece)) {
    return 1 + piece.length / BLANK_RUN;
  }
  return codePoint < 0x80 ? SYMBOL_TOKENS : foreignTokens(codePoint);
}

/** A word that alternates between cases and digits is a hash or Base64. */
function wordTokens(word: string, segments: readonly string[]): number {
  if (/^[0-9]+$/.test(word)) {
    return segments.length + DIGITS_REST;
  }
  if (segments.length >= 4 && word.length < segments.length * 3.2) {
    return Math.ceil(word.length * 0.8);
  }
  const tokens = segments.map(({ length }) =>
    length <= KNOWN_LETTERS ? 1 : 1 + (length - 1) / FURTHER_LETTERS,
  );
  return tokens.reduce((sum, each) => sum + each, 0);
}

/** Characters that tokenizers rarely saw take more tokens each. */
function foreignTokens(codePoint: number): number {
  if (codePoint < 0x800) {
    return 0.7;
  }
  if (codePoint >= 0x1_0000) {
    return 3.2;
  }
  return codePoint >= 0x2e80 ? 1.3 : 2.2;
}
