/** How much of a tool's answer a host takes, and answers that keep to it. */
import type { ToolResult } from "../protocol/tools.ts";

/** A ceiling for what one call gives the model. */
export interface OutputProfile {
  /** `characters` are UTF-16 code units, as a host counts them; `tokens` are estimated. */
  readonly unit: "characters" | "bytes" | "tokens";
  readonly max: number;
}

/** The budgets of known hosts. */
export const OUTPUT_PROFILES = {
  /** What Chrome's guidance for WebMCP asks for. */
  webmcp: { unit: "characters", max: 1_500 },
  /** What command-line coding agents cut a tool's answer to. */
  "10-kib": { unit: "bytes", max: 10_240 },
  /** What agents with a large context take of one answer. */
  "25k-tokens": { unit: "tokens", max: 25_000 },
  /** What agents of notebooks take of one answer. */
  "40k-characters": { unit: "characters", max: 40_000 },
} as const satisfies Record<string, OutputProfile>;

export type OutputProfileName = keyof typeof OUTPUT_PROFILES;

/**
 * UTF-8 bytes that stand for one token where nobody has the model's tokenizer.
 *
 * Listings and numbered lines have more tokens a byte than prose; with three the estimate is rather
 * too high than too low.
 */
const BYTES_PER_TOKEN = 3;

const utf8 = new TextEncoder();

/** Returns about how many tokens a model has to read; rather too many than too few. */
export function estimateTokens(text: string): number {
  return Math.ceil(sizeBytes(text) / BYTES_PER_TOKEN);
}

/** Returns the length of a text in UTF-8. */
export function sizeBytes(text: string): number {
  return utf8.encode(text).byteLength;
}

const MEASURES = {
  characters: (text: string) => text.length,
  bytes: sizeBytes,
  tokens: estimateTokens,
} as const satisfies Record<OutputProfile["unit"], (text: string) => number>;

/** Room for a wrapping that escapes what it holds shrinks by a try; five are more than enough. */
const MAX_TRIES = 5;

/** Below this part of the budget, an answer that was cut is worth another try with more room. */
const WORTH_ANOTHER_TRY = 0.6;

/** An answer and the text that it becomes. */
export interface RenderedResult {
  readonly result: ToolResult;
  readonly text: string;
}

/**
 * Calls a tool until what `render` makes of its answer keeps to the profile; null if nothing does.
 *
 * The tool itself leaves out whole entries and lines, so that no JSON and no line is ever broken.
 *
 * @param call runs the tool with a ceiling for its content, in UTF-8 bytes.
 * @param render returns all that the host gives its model of an answer.
 */
export async function callWithin(
  profile: OutputProfile,
  call: (maxOutputBytes: number) => Promise<ToolResult>,
  render: (result: ToolResult) => string,
): Promise<RenderedResult | null> {
  const measure = MEASURES[profile.unit];
  let maxBytes = profile.unit === "tokens" ? profile.max * BYTES_PER_TOKEN : profile.max;
  let best: RenderedResult | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await call(maxBytes);
    const text = render(result);
    const size = measure(text);
    if (size > profile.max) {
      if (best !== null) {
        return best;
      }
      maxBytes = Math.floor((maxBytes * profile.max * 0.95) / size);
      continue;
    }
    best = { result, text };
    if (!result.truncated || result.isError || size >= profile.max * WORTH_ANOTHER_TRY) {
      return best;
    }
    if (size === 0 || sizeBytes(text) === size || tries > 0) {
      return best;
    }
    // A character of two or three bytes took more of the budget than the host counts.
    maxBytes = Math.floor((maxBytes * profile.max * 0.95) / size);
  }
  return best;
}

/** Returns the profile that an option names or is; null where there is no ceiling of the host's. */
export function toOutputProfile(
  output: OutputProfileName | OutputProfile | null,
): OutputProfile | null {
  if (output === null || typeof output === "object") {
    return output;
  }
  return OUTPUT_PROFILES[output];
}
