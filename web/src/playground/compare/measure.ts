/** The figures of a call's answers. */

import { estimateTokens } from "../../adapters/output-profile.ts";
import type { ToolResult } from "../../index.ts";
import { findMatches } from "../../ui/found-matches.ts";
import { parseJsonObject } from "../../ui/json.ts";
import { LISTING_TOOLS, readEntries } from "../../ui/listed-entries.ts";
import { figuresOf, sum } from "../timeline/call-words.ts";
import { findNote, MOUNT_PATH } from "../tool-notes.ts";

/** A call, or the one that asks for its next page, with its answer. */
export interface Answered {
  readonly toolName: string;
  readonly argumentsText: string;
  readonly result: ToolResult;
}

export interface Measure {
  /** The entries of a listing, or the files of a search; null for a tool that shows neither. */
  readonly entries: number | null;
  /** Those of the first answer, and of the reading before a change. */
  readonly tokens: number;
  /** The tokens of all pages; null until they were fetched. */
  readonly wholeTokens: number | null;
  /** The tokens of the arguments, which a model writes. */
  readonly writtenTokens: number;
  readonly calls: number;
  readonly errors: number;
  readonly elapsedMs: number;
}

/** Measures the pages of a call, and the reading that a change requires `before` it. */
export function measure(pages: readonly Answered[], before: readonly Answered[] = []): Measure {
  const all = [...before, ...pages];
  const tokensOf = (answers: readonly Answered[]) =>
    sum(answers.map(({ result }) => figuresOf(result).tokens));
  return {
    entries: countEntries(pages),
    tokens: tokensOf([...before, ...pages.slice(0, 1)]),
    wholeTokens: pages.at(-1)?.result.nextArguments === null ? tokensOf(all) : null,
    writtenTokens: sum(
      all.map(({ argumentsText }) => estimateTokens(withoutIndents(argumentsText))),
    ),
    calls: all.length,
    errors: all.filter(({ result }) => result.isError).length,
    elapsedMs: sum(all.map(({ result }) => result.elapsedMs)),
  };
}

/** Returns arguments as a model writes them; what is no JSON object stays as it is. */
function withoutIndents(argumentsText: string): string {
  const args = parseJsonObject(argumentsText);
  return args === null ? argumentsText : JSON.stringify(args);
}

/** Sums the figures of one call or more; null if one was not measured, as is a figure that one lacks. */
export function totalOf(measures: readonly (Measure | null)[]): Measure | null {
  return measures.reduce((total, each) => total && each && add(total, each));
}

function add(one: Measure, other: Measure): Measure {
  const both = (left: number | null, right: number | null) =>
    left === null || right === null ? null : left + right;
  return {
    entries: both(one.entries, other.entries),
    tokens: one.tokens + other.tokens,
    wholeTokens: both(one.wholeTokens, other.wholeTokens),
    writtenTokens: one.writtenTokens + other.writtenTokens,
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    elapsedMs: one.elapsedMs + other.elapsedMs,
  };
}

function countEntries(pages: readonly Answered[]): number | null {
  const [first] = pages;
  const kind = findNote(first?.toolName ?? "")?.kind;
  if (first === undefined || kind === undefined || kind === "read") {
    return null;
  }
  const results = pages.map(({ result }) => result);
  if (LISTING_TOOLS.includes(first.toolName)) {
    return readEntries(results).size;
  }
  if (kind === "list") {
    return sum(results.map(countLines));
  }
  const found = pages.flatMap((page) => findMatches({ ...page, mountPath: MOUNT_PATH }) ?? []);
  return new Set(found.map(({ path }) => path)).size;
}

/** Counts the lines about entries: not the first, and not the last of a cut answer. */
function countLines({ content, truncated, isError }: ToolResult): number {
  return isError ? 0 : content.split("\n").length - (truncated ? 2 : 1);
}
