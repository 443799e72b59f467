/** Calls side by side, on one tree or on two: plain rows, which a mount does not clear. */

import { signal } from "@preact/signals";
import type { ToolResult, TreeglassClient } from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";
import { findMatches } from "../../ui/found-matches.ts";
import { renderJson } from "../../ui/json.ts";
import { LISTING_TOOLS, readEntries } from "../../ui/listed-entries.ts";
import type { CallText } from "../../ui/literals.ts";
import type { MountedTree } from "../state/page-state.ts";
import type { CallItem, TimelineItem } from "../state/timeline.ts";
import { callOf, figuresOf } from "../timeline/call-words.ts";
import { MOUNT_PATH } from "../tool-notes.ts";

export interface Measure {
  /** The entries of a listing, or the files of a search; null for a tool that shows neither. */
  readonly entries: number | null;
  /** Those of the first answer. */
  readonly tokens: number;
  /** The tokens of all pages; null until they were fetched. */
  readonly wholeTokens: number | null;
  readonly calls: number;
  readonly errors: number;
  readonly elapsedMs: number;
}

export type Side = "a" | "b";

export interface ComparedRow extends Readonly<Record<Side, Measure | null>> {
  readonly call: CallText;
}

export interface ComparedTree extends Pick<MountedTree, "number"> {
  readonly name: string;
}

export const comparedRows = signal<readonly ComparedRow[]>([]);

/** The trees of the two columns; the second is null until the calls ran on another tree. */
export type ComparedTrees = Readonly<Record<Side, ComparedTree | null>>;

export const comparedTrees = signal<ComparedTrees>({ a: null, b: null });

const SEARCHING_TOOLS: readonly string[] = ["grep_files", "Grep", "Search", "Glob"];

const MAX_PAGES = 50;

/** Takes the calls that the visitor chose on the timeline; one that is there already keeps its figures. */
export function compareItems(items: readonly TimelineItem[]): void {
  const calls = items.filter((item) => item.kind === "call");
  const [first] = calls;
  if (first === undefined) {
    return;
  }
  const isSameTree = comparedTrees.value.a?.number === first.treeNumber;
  const known = new Map(
    isSameTree ? comparedRows.value.map((row) => [renderJson(row.call), row]) : [],
  );
  comparedRows.value = calls.map((item) => {
    const call = callOf(item);
    return known.get(renderJson(call)) ?? { call, a: measureItem(item), b: null };
  });
  if (!isSameTree) {
    comparedTrees.value = {
      a: { number: first.treeNumber, name: escapePath(first.treeName) },
      b: null,
    };
  }
}

/** Takes calls that have not run yet. */
export function compareCalls(calls: readonly CallText[]): void {
  comparedTrees.value = { a: null, b: null };
  comparedRows.value = calls.map((call) => ({ call, a: null, b: null }));
}

/** Returns the column that a run on a tree fills. */
export function sideOf(tree: ComparedTree): Side {
  const { a } = comparedTrees.value;
  return a === null || a.number === tree.number ? "a" : "b";
}

function measureItem({ standing, ...item }: CallItem): Measure | null {
  const { value } = standing;
  return value.kind === "answered" ? measure(item, [value.result]) : null;
}

/** Measures the pages of a call; the first of several tells what one call costs. */
export function measure(call: CallText, pages: readonly ToolResult[]): Measure {
  const [first] = pages;
  const tokens = pages.map((page) => figuresOf(page).tokens);
  const isWhole = pages.at(-1)?.nextArguments === null;
  return {
    entries: countEntries(call, pages),
    tokens: first === undefined ? 0 : figuresOf(first).tokens,
    wholeTokens: isWhole ? tokens.reduce((sum, each) => sum + each, 0) : null,
    calls: pages.length,
    errors: pages.filter(({ isError }) => isError).length,
    elapsedMs: pages.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  };
}

function countEntries(call: CallText, pages: readonly ToolResult[]): number | null {
  if (LISTING_TOOLS.includes(call.toolName)) {
    return readEntries(pages).size;
  }
  if (call.toolName === "list_dir") {
    return pages.reduce((sum, page) => sum + countLines(page), 0);
  }
  const found = pages.map((result) => findMatches({ ...call, result, mountPath: MOUNT_PATH }));
  const isSearch = SEARCHING_TOOLS.includes(call.toolName);
  return isSearch
    ? new Set(found.flatMap((each) => each ?? []).map(({ path }) => path)).size
    : null;
}

/** Counts the lines about entries: not the first, and not the last of a cut answer. */
function countLines({ content, truncated, isError }: ToolResult): number {
  return isError ? 0 : content.split("\n").length - (truncated ? 2 : 1);
}

/** Runs every call on the mounted tree, one page of each or all pages, and fills a column. */
export async function runRows(
  client: TreeglassClient,
  tree: ComparedTree,
  options: { readonly isWhole: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const side = sideOf(tree);
  comparedTrees.value = { ...comparedTrees.value, [side]: tree };
  for (const row of comparedRows.value) {
    const pages = await fetchPages(client, row.call, options);
    const filled = measure(row.call, pages);
    comparedRows.value = comparedRows.value.map((each) =>
      each.call === row.call ? { ...each, [side]: filled } : each,
    );
  }
}

async function fetchPages(
  client: TreeglassClient,
  { toolName, argumentsText, maxOutputBytes }: CallText,
  { isWhole, signal: aborted }: { readonly isWhole: boolean; readonly signal: AbortSignal },
): Promise<readonly ToolResult[]> {
  const limits = maxOutputBytes === null ? {} : { maxOutputBytes };
  const pages: ToolResult[] = [];
  let next: string | null = argumentsText;
  while (next !== null && pages.length < (isWhole ? MAX_PAGES : 1)) {
    const page: ToolResult = await client.callTool(toolName, next, { signal: aborted, ...limits });
    pages.push(page);
    next = page.nextArguments === null ? null : renderJson(page.nextArguments);
  }
  return pages;
}
