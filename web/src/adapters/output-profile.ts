/** The largest answer that a host accepts, and calls whose answers fit it. */
import { isCount, isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolResult } from "../protocol/tools.ts";
import { estimateTokens } from "./token-estimate.ts";

export { estimateTokens };

/** A ceiling for the answer of one call. */
export interface OutputProfile {
  /** `characters` are UTF-16 code units, as a host counts them; `tokens` are estimated. */
  readonly unit: "characters" | "bytes" | "tokens";
  readonly max: number;
}

/** The budgets of known hosts. */
export const OUTPUT_PROFILES = {
  /** Chrome's guidance for WebMCP. */
  webmcp: { unit: "characters", max: 1_500 },
  /** The length to which command-line coding agents cut an answer. */
  "10-kib": { unit: "bytes", max: 10_240 },
  /** The limit of agents with a large context. */
  "25k-tokens": { unit: "tokens", max: 25_000 },
  /** The limit of agents in notebooks. */
  "40k-characters": { unit: "characters", max: 40_000 },
} as const satisfies Record<string, OutputProfile>;

export type OutputProfileName = keyof typeof OUTPUT_PROFILES;

/** UTF-8 bytes of a token of code or of a listing, for the first try; a low estimate. */
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

/** The most tries: each corrects the ceiling by the measured size, and five are more than enough. */
const MAX_TRIES = 5;

/** A cut answer below this part of the budget is tried again with more room. */
const WORTH_ANOTHER_TRY = 0.6;

/** The part of the budget that a further try aims at, since parts of a tree differ in size. */
const AIM = 0.95;

/** An answer and its rendered text. */
export interface RenderedResult {
  readonly result: ToolResult;
  readonly text: string;
}

/**
 * Calls a tool until the rendered answer fits the profile; returns null if none fits.
 *
 * The tool itself leaves out whole entries and lines, so that no JSON and no line is ever broken.
 *
 * @param call runs the tool with a ceiling for its content, in UTF-8 bytes.
 * @param render returns everything that the host gives its model of an answer.
 */
export async function callWithin(
  profile: OutputProfile,
  call: (maxOutputBytes: number) => Promise<ToolResult>,
  render: (result: ToolResult) => string,
): Promise<RenderedResult | null> {
  const measure = MEASURES[profile.unit];
  let maxBytes = Math.floor(
    profile.unit === "tokens" ? profile.max * BYTES_PER_TOKEN : profile.max,
  );
  let best: RenderedResult | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await call(maxBytes);
    const text = render(result);
    const size = measure(text);
    const contentBytes = sizeBytes(result.content);
    if (size > profile.max) {
      if (best !== null || contentBytes > maxBytes) {
        // The tool has no shorter answer.
        return best;
      }
    } else if (
      tries > 0 ||
      size >= profile.max * WORTH_ANOTHER_TRY ||
      !isCutByBudget(result, maxBytes)
    ) {
      return { result, text };
    } else {
      // A character of two or three bytes uses more of the ceiling than the host counts.
      best = { result, text };
    }
    // Scales the used bytes, not the ceiling: a large entry may have left much of the ceiling unused.
    const usedBytes = best === null ? Math.min(maxBytes, contentBytes) : maxBytes;
    maxBytes = Math.floor((usedBytes * profile.max * AIM) / Math.max(size, 1));
  }
  return best;
}

/** Tells whether the tool would return more with a higher ceiling. */
function isCutByBudget({ content, truncated, isError }: ToolResult, maxBytes: number): boolean {
  return truncated && !isError && sizeBytes(content) >= maxBytes * WORTH_ANOTHER_TRY;
}

/**
 * Returns the profile that an option names or holds; null without a ceiling.
 *
 * Throws `BadRequest` for an unknown name or an invalid profile.
 */
export function toOutputProfile(
  output: OutputProfileName | OutputProfile | null,
): OutputProfile | null {
  if (output === null) {
    return null;
  }
  // A page without types may pass any value.
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
