/** The budgets of hosts for a tool's answer, and answers that keep to them. */
import { isCount, isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolResult } from "../protocol/tools.ts";

/** The most that one call gives the model. */
export interface OutputProfile {
  /** `characters` are UTF-16 code units, as hosts count them; `tokens` are estimated. */
  readonly unit: "characters" | "bytes" | "tokens";
  readonly max: number;
}

/** The budgets of known hosts. */
export const OUTPUT_PROFILES = {
  /** The limit in Chrome's guidance for WebMCP. */
  webmcp: { unit: "characters", max: 1_500 },
  /** The size to which command-line coding agents cut a tool's answer. */
  "10-kib": { unit: "bytes", max: 10_240 },
  /** The most that agents with a large context accept as one answer. */
  "25k-tokens": { unit: "tokens", max: 25_000 },
  /** The most that agents of notebooks accept as one answer. */
  "40k-characters": { unit: "characters", max: 40_000 },
} as const satisfies Record<string, OutputProfile>;

export type OutputProfileName = keyof typeof OUTPUT_PROFILES;

/** UTF-8 bytes per token of code or of a listing, for the first try; usually there are more. */
const BYTES_PER_TOKEN = 2.2;

const utf8 = new TextEncoder();

/** Returns the length of a text in UTF-8. */
export function sizeBytes(text: string): number {
  return utf8.encode(text).byteLength;
}

const MEASURES = {
  characters: (text: string) => text.length,
  bytes: sizeBytes,
  tokens: estimateTokens,
} as const satisfies Record<OutputProfile["unit"], (text: string) => number>;

/** Each try adapts to the escapes that the host's wrapping adds; five are more than enough. */
const MAX_TRIES = 5;

/** A cut answer that fills less than this share of the budget gets another try with more room. */
const MIN_FILLED_SHARE = 0.6;

/** The share of the budget that another try aims at, since the parts of a tree differ. */
const TARGET_FILLED_SHARE = 0.95;

/** An answer and the text that it becomes. */
export interface RenderedResult {
  readonly result: ToolResult;
  readonly text: string;
}

/**
 * Calls a tool until its rendered answer fits the profile; returns null if no answer fits.
 *
 * The tool itself leaves out whole entries and lines, so that no JSON and no line is ever broken.
 *
 * @param call runs the tool with a ceiling for its content, in UTF-8 bytes.
 * @param render returns everything that the host passes to its model.
 */
export async function callWithin(
  profile: OutputProfile,
  call: (maxOutputBytes: number) => Promise<ToolResult>,
  render: (result: ToolResult) => string,
): Promise<RenderedResult | null> {
  const measure = MEASURES[profile.unit];
  let maxBytes = ceilingOf(profile);
  // Before each try, either all answers were too large and the ceiling shrinks, or `fallback` is
  // the first answer, which fits but wastes room: then one try with a higher ceiling decides.
  let fallback: RenderedResult | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await call(maxBytes);
    const text = render(result);
    const size = measure(text);
    if (size > profile.max) {
      const isShortest = sizeBytes(result.content) > maxBytes;
      if (fallback !== null || isShortest) {
        return fallback;
      }
    } else if (
      tries > 0 ||
      size >= profile.max * MIN_FILLED_SHARE ||
      !isCutByBudget(result, maxBytes)
    ) {
      return { result, text };
    } else {
      // Characters of two or three bytes took more of the ceiling than the host counts.
      fallback = { result, text };
    }
    maxBytes = nextCeiling(result, size);
  }
  return fallback;

  function nextCeiling({ content }: ToolResult, size: number): number {
    // A large entry that did not fit may have left much of the ceiling unused.
    const usedBytes = size > profile.max ? Math.min(maxBytes, sizeBytes(content)) : maxBytes;
    return Math.floor((usedBytes * profile.max * TARGET_FILLED_SHARE) / Math.max(size, 1));
  }
}

/** Returns the bytes that a tool may say at first. */
export function ceilingOf({ unit, max }: OutputProfile): number {
  return Math.floor(unit === "tokens" ? max * BYTES_PER_TOKEN : max);
}

/** Tells whether the tool would have said more with more room. */
function isCutByBudget({ content, truncated, isError }: ToolResult, maxBytes: number): boolean {
  return truncated && !isError && sizeBytes(content) >= maxBytes * MIN_FILLED_SHARE;
}

/**
 * Returns the profile of an option, which may be its name; null stands for no budget.
 *
 * Throws `BadRequest` for an unknown name, and for an invalid profile.
 */
export function toOutputProfile(
  output: OutputProfileName | OutputProfile | null,
): OutputProfile | null {
  if (output === null) {
    return null;
  }
  // A page without types may pass anything.
  if (typeof output === "string" && Object.hasOwn(OUTPUT_PROFILES, output)) {
    return OUTPUT_PROFILES[output];
  }
  if (isProfile(output)) {
    return output;
  }
  throw new TreeglassError(
    "BadRequest",
    `output is ${Object.keys(OUTPUT_PROFILES).join(", ")}, ` +
      `or { unit, max } with the unit ${Object.keys(MEASURES).join(", ")}, and max from 1 on.`,
  );
}

function isProfile(asked: unknown): asked is OutputProfile {
  return (
    isRecord(asked) &&
    typeof asked.unit === "string" &&
    Object.hasOwn(MEASURES, asked.unit) &&
    isCount(asked.max) &&
    asked.max > 0
  );
}

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
