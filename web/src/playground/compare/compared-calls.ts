/** Calls side by side, on one tree or on two: plain rows, which a mount does not clear. */

import { signal } from "@preact/signals";
import type { ToolResult, TreeglassClient } from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { renderJson } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import { editingFamily, type FileChange, isChanging } from "../model-tools.ts";
import type { MountedTree, PageState } from "../state/page-state.ts";
import type { CallItem } from "../state/timeline.ts";
import { callOf } from "../timeline/call-words.ts";
import {
  changedVersion,
  type FamilyCall,
  familyOfItem,
  likeCalls,
  readingBefore,
  takeBack,
} from "./like-calls.ts";
import { type Answered, type Measure, measure } from "./measure.ts";

/** The answers of a call, as a model reads them, and their figures. */
export interface Ran extends Measure {
  readonly contents: readonly string[];
}

export type Side = "a" | "b";

/** A call with what it gave on each tree; null where it did not run. */
export interface ComparedRow extends FamilyCall, Readonly<Record<Side, Ran | null>> {}

interface ComparedTree extends Pick<MountedTree, "number"> {
  readonly name: string;
}

/** The trees of the two columns; the second is null until the calls ran on another tree. */
export type ComparedTrees = Readonly<Record<Side, ComparedTree | null>>;

export const comparedRows = signal<readonly ComparedRow[]>([]);
export const comparedTrees = signal<ComparedTrees>({ a: null, b: null });
/** True while the visitor looks at the comparison. */
export const isComparing = signal(false);
/** Stops the calls that run; null while none does. */
export const running = signal<AbortController | null>(null);
/** Why the calls did not all run; "" if they did. */
export const failure = signal("");

const MAX_PAGES = 50;

/** Takes the calls that the visitor chose on the timeline; one that is there already keeps its figures. */
export function compareItems(calls: readonly CallItem[]): void {
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
    const row = { family: familyOfItem(item), call, a: measureItem(item), b: null };
    return known.get(renderJson(call)) ?? row;
  });
  if (!isSameTree) {
    const tree = { number: first.treeNumber, name: escapePath(first.treeName) };
    comparedTrees.value = { a: tree, b: null };
  }
}

/** Takes calls that have not run yet. */
export function compareCalls(calls: readonly FamilyCall[]): void {
  comparedTrees.value = { a: null, b: null };
  comparedRows.value = calls.map((each) => ({ ...each, a: null, b: null }));
}

/** Returns the column that a run on a tree fills. */
export function sideOf(tree: ComparedTree): Side {
  const { a } = comparedTrees.value;
  return a === null || a.number === tree.number ? "a" : "b";
}

function measureItem({ standing, ...item }: CallItem): Ran | null {
  const { value } = standing;
  return value.kind === "answered" ? ran([{ ...item, result: value.result }]) : null;
}

function ran(pages: readonly Answered[], before: readonly Answered[] = []): Ran {
  return { ...measure(pages, before), contents: pages.map(({ result }) => result.content) };
}

/** Asks the like call of every family on the mounted tree, and shows all of it. */
export async function askFamilies(page: PageState, item: CallItem): Promise<void> {
  isComparing.value = true;
  await run(page, async (tree, signal) => {
    compareCalls([]);
    const version = changedVersion(item);
    const ask = (change: FileChange | null) => {
      compareCalls(likeCalls(item, change));
      return runRows(page, tree, { isWhole: true, signal });
    };
    await (version === null
      ? ask(null)
      : keepingChanges(page, async () => ask(await takeBack(await page.client(), version))));
  });
}

/** Makes every call on the mounted tree, with one page of each answer or with all pages. */
export function runAll(page: PageState, { isWhole }: { readonly isWhole: boolean }): Promise<void> {
  return run(page, (tree, signal) => runRows(page, tree, { isWhole, signal }));
}

async function run(
  page: PageState,
  work: (tree: ComparedTree, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const tree = page.tree.value;
  if (tree === null || running.value !== null) {
    return;
  }
  const controller = new AbortController();
  running.value = controller;
  failure.value = "";
  try {
    await work({ number: tree.number, name: escapePath(tree.choice.name) }, controller.signal);
  } catch (error) {
    failure.value = controller.signal.aborted ? "Stopped." : sentenceOf(error);
  }
  running.value = null;
}

interface RunRowsOptions {
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
}

/** Fills a column; calls that change files leave the tree as it was. */
async function runRows(
  page: PageState,
  tree: ComparedTree,
  options: RunRowsOptions,
): Promise<void> {
  const client = await page.client();
  const side = sideOf(tree);
  comparedTrees.value = { ...comparedTrees.value, [side]: tree };
  for (const row of comparedRows.value) {
    if (editingFamily(row.call.toolName) !== undefined) {
      await page.offerEditing(row.family ?? undefined);
    }
    const reading = readingBefore(row);
    const ask = async () => {
      const before =
        reading === null ? [] : await fetchPages(client, reading, { ...options, isWhole: true });
      return ran(await fetchPages(client, row.call, options), before);
    };
    const filled = await (isChanging(row.call.toolName) ? keepingChanges(page, ask) : ask());
    comparedRows.value = comparedRows.value.map((each) =>
      each.call === row.call ? { ...each, [side]: filled } : each,
    );
  }
}

/** Runs `work`, and then brings all proposals back that were there before. */
async function keepingChanges<Result>(
  page: PageState,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await page.client();
  const state = await client.saveState();
  try {
    return await work();
  } finally {
    await client.restoreState(state);
    await page.refreshChanges();
  }
}

async function fetchPages(
  client: TreeglassClient,
  { toolName, argumentsText, maxOutputBytes }: CallText,
  { isWhole, signal: aborted }: RunRowsOptions,
): Promise<readonly Answered[]> {
  const limits = maxOutputBytes === null ? {} : { maxOutputBytes };
  const pages: Answered[] = [];
  let next: string | null = argumentsText;
  while (next !== null && pages.length < (isWhole ? MAX_PAGES : 1)) {
    const sent: string = next;
    const result: ToolResult = await client.callTool(toolName, sent, {
      signal: aborted,
      ...limits,
    });
    pages.push({ toolName, argumentsText: sent, result });
    next = result.nextArguments === null ? null : renderJson(result.nextArguments);
  }
  return pages;
}
