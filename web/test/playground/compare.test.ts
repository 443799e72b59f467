import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import {
  type ComparedRow,
  compareCalls,
  comparedRows,
  comparedTrees,
  compareItems,
  type Measure,
  runRows,
  sideOf,
} from "../../src/playground/compare/compared-calls.ts";
import {
  renderCsv,
  renderMarkdown,
  sortRows,
} from "../../src/playground/compare/comparison-table.tsx";
import { parseSets } from "../../src/playground/compare/saved-sets.tsx";
import { PageState } from "../../src/playground/state/page-state.ts";
import { startRealClient } from "../support/real-client.ts";

let client: TreeglassClient;
let page: PageState;

before(async () => {
  client = await startRealClient();
  page = new PageState({
    connect: async () => client,
    fetchFile: () => new Promise(() => undefined),
  });
});

after(() => client.close());

beforeEach(() => {
  page.timeline.clear();
  compareCalls([]);
});

function callText(toolName: string, args: object) {
  return { toolName, argumentsText: JSON.stringify(args), maxOutputBytes: null };
}

const LIST = callText("list_dir", { dir_path: "/repo", limit: 5 });
const READ = callText("read_file", { file_path: "/repo/nope.md" });
const FIRST = { number: 0, name: "one" };
const SECOND = { number: 1, name: "two" };
const NEVER = new AbortController().signal;

/** The figures without the time, which differs. */
function figures(measure: Measure | null) {
  const { elapsedMs: _, ...others } = measure ?? { elapsedMs: 0 };
  return measure === null ? null : others;
}

async function compareTwo(): Promise<void> {
  for (const call of [LIST, READ]) {
    const item = await page.call(call, "you");
    item.isChosen.value = true;
  }
  compareItems(page.timeline.chosenCalls.value);
}

const LISTED = { entries: 5, tokens: 43, wholeTokens: null, calls: 1, errors: 0 };
const REFUSED = { entries: null, tokens: 20, wholeTokens: 20, calls: 1, errors: 1 };

describe("a comparison", () => {
  test("has the chosen calls with what they gave", async () => {
    await compareTwo();
    assert.deepEqual(
      comparedRows.value.map(({ call, a, b }) => [call, figures(a), b]),
      [
        [LIST, LISTED, null],
        [READ, REFUSED, null],
      ],
    );
  });

  test("fetches all further pages, and keeps what the first costs", async () => {
    await compareTwo();
    await runRows(client, FIRST, { isWhole: true, signal: NEVER });
    assert.deepEqual(
      comparedRows.value.map(({ a }) => figures(a)),
      [{ ...LISTED, entries: 13, wholeTokens: 106, calls: 3 }, REFUSED],
    );
    compareItems(page.timeline.chosenCalls.value);
    assert.equal(comparedRows.value[0]?.a?.calls, 3);
  });

  test("runs on another tree beside the first, and outlives the timeline", async () => {
    await compareTwo();
    page.timeline.clear();
    assert.equal(sideOf(SECOND), "b");
    await runRows(client, SECOND, { isWhole: false, signal: NEVER });
    assert.deepEqual(
      comparedRows.value.map(({ a, b }) => [figures(a), figures(b)]),
      [
        [LISTED, LISTED],
        [REFUSED, REFUSED],
      ],
    );
    assert.deepEqual(
      Object.values(comparedTrees.value).map((tree) => tree?.number),
      [0, 1],
    );
  });

  test("begins with the calls of a saved set on the mounted tree", async () => {
    compareCalls([READ]);
    assert.equal(sideOf(SECOND), "a");
    await runRows(client, SECOND, { isWhole: false, signal: NEVER });
    assert.deepEqual(comparedTrees.value, { a: SECOND, b: null });
    assert.deepEqual(figures(comparedRows.value[0]?.a ?? null), REFUSED);
  });
});

const MEASURE = {
  entries: 4,
  tokens: 10,
  wholeTokens: 10,
  calls: 1,
  errors: 0,
  elapsedMs: 1.25,
} as const;

const ROWS: readonly ComparedRow[] = [
  { call: callText("=cmd|'x'!A1", { a: "b|c" }), a: MEASURE, b: { ...MEASURE, tokens: 7 } },
  { call: callText("Grep", { a: 1 }), a: null, b: null },
  { call: callText("LS", { a: 0 }), a: { ...MEASURE, entries: null, tokens: 20 }, b: null },
];

function order(label: string, isDescending: boolean) {
  return sortRows(ROWS, { label, isDescending }).map(({ call }) => call.toolName);
}

describe("the table of a comparison", () => {
  test("is sorted by a figure, with missing figures last", () => {
    assert.deepEqual(order("Tokens", false), ["=cmd|'x'!A1", "LS", "Grep"]);
    assert.deepEqual(order("Tokens", true), ["LS", "=cmd|'x'!A1", "Grep"]);
    assert.deepEqual(order("Tool", true), ["LS", "Grep", "=cmd|'x'!A1"]);
  });

  test("is exported as CSV in which no cell is a formula", () => {
    assert.equal(
      renderCsv(ROWS.slice(0, 2), { a: { number: 1, name: "@tree, one" }, b: null }),
      'Tool,Arguments,"Entries, @tree, one","Tokens, @tree, one","Tokens per entry, @tree, one",' +
        '"Tokens for the whole, @tree, one","Calls, @tree, one","Errors, @tree, one",' +
        '"ms, @tree, one"\r\n' +
        `'=cmd|'x'!A1,"{""a"":""b|c""}",4,10,2.5,10,1,0,1.3\r\n` +
        'Grep,"{""a"":1}",,,,,,,\r\n',
    );
  });

  test("is exported as Markdown with both trees", () => {
    const trees = { a: { number: 1, name: "x" }, b: { number: 2, name: "y" } };
    const rule = Array(14).fill("---:").join(" | ");
    assert.equal(
      renderMarkdown(ROWS.slice(0, 1), trees),
      "| Tool | Arguments | Entries, x | Entries, y | Tokens, x | Tokens, y " +
        "| Tokens per entry, x | Tokens per entry, y | Tokens for the whole, x " +
        "| Tokens for the whole, y | Calls, x | Calls, y | Errors, x | Errors, y | ms, x | ms, y |\n" +
        `| --- | --- | ${rule} |\n` +
        `| =cmd\\|'x'!A1 | {"a":"b\\|c"} | 4 | 4 | 10 | 7 | 2.5 | 2.5 | 10 | 10 | 1 | 1 | 0 | 0 ` +
        "| 1.3 | 1.3 |\n",
    );
  });
});

test("a saved set is read without what is no call", () => {
  const text = JSON.stringify({ mine: [LIST, { toolName: 3 }, null], other: 5 });
  assert.deepEqual(
    [...parseSets(text)],
    [
      ["mine", [LIST]],
      ["other", []],
    ],
  );
  assert.deepEqual([...parseSets("no JSON")], []);
});
