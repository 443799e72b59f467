/** Estimates the tokens of a text without the model's tokenizer. */

/** A word with its digits, a run of white space, or one other character. */
const PIECE = /[A-Za-z0-9]+|\s+|[^A-Za-z0-9\s]/gu;

/** The parts into which tokenizers cut a word: `parseHTMLFast2025` has five. */
const SEGMENT = /[A-Z]*[a-z]+|[A-Z]+|[0-9]{1,3}/g;

/** A word, or a part of one, of up to this many letters counts as one token. */
const KNOWN_LETTERS = 4;

/** Letters per token in the rest of a longer word. */
const FURTHER_LETTERS = 6;

/** Characters per token in a long run of white space. */
const BLANK_RUN = 16;

/** A single space costs little: most often it belongs to the token of the next word. */
const SPACE_TOKENS = 0.15;

const SYMBOL_TOKENS = 0.8;

/** The cost of a number beyond its digits: a symbol after it costs more than elsewhere. */
const NUMBER_EXTRA_TOKENS = 0.2;

/**
 * Returns about how many tokens a text has; rather too many than too few.
 *
 * For listings, code and prose, the estimate is between the count of current GPT tokenizers and
 * about twice that count. Long runs of random lower-case letters may have more tokens.
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

/** A word that often changes between cases and digits is a hash or Base64. */
function wordTokens(word: string, segments: readonly string[]): number {
  if (/^[0-9]+$/.test(word)) {
    return segments.length + NUMBER_EXTRA_TOKENS;
  }
  if (segments.length >= 4 && word.length < segments.length * 3.2) {
    return Math.ceil(word.length * 0.8);
  }
  const tokens = segments.map(({ length }) =>
    length <= KNOWN_LETTERS ? 1 : 1 + (length - 1) / FURTHER_LETTERS,
  );
  return tokens.reduce((sum, each) => sum + each, 0);
}

/** Characters that are rare in the training text of tokenizers take more tokens each. */
function foreignTokens(codePoint: number): number {
  if (codePoint < 0x800) {
    return 0.7;
  }
  if (codePoint >= 0x1_0000) {
    return 3.2;
  }
  return codePoint >= 0x2e80 ? 1.3 : 2.2;
}
