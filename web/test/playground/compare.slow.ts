import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import {
  askFamilies,
  type ComparedRow,
  compareCalls,
  comparedRows,
  comparedTrees,
  compareItems,
  failure,
  type Ran,
  runAll,
  sideOf,
} from "../../src/playground/compare/compared-calls.ts";
import {
  renderCsv,
  renderMarkdown,
  sortRows,
  totalsOf,
} from "../../src/playground/compare/comparison-table.tsx";
import { hasLikeCalls } from "../../src/playground/compare/like-calls.ts";
import { parseSets } from "../../src/playground/compare/saved-sets.tsx";
import { PageState } from "../../src/playground/state/page-state.ts";
import { connectRealClient, PROJECT } from "../support/real-client.ts";

const README = "# Sample\n\nA tree for agents.\n";
const ONE = {
  name: "one",
  open: async () => ({ entries: { ...PROJECT, "README.md": README, ".hidden": "" } }),
};
const TWO = { name: "two", open: async () => ({ entries: PROJECT }) };

let client: TreeglassClient;
let page: PageState;

before(async () => {
  client = await connectRealClient();
  page = new PageState({
    connect: async () => client,
    fetchFile: () => new Promise(() => undefined),
  });
});

after(() => client.close());

beforeEach(async () => {
  await page.mount(ONE);
  compareCalls([]);
});

function callText(toolName: string, args: object) {
  return { toolName, argumentsText: JSON.stringify(args), maxOutputBytes: null };
}

const LIST = callText("list_dir", { dir_path: "/repo", limit: 5 });
const READ = callText("read_file", { file_path: "/repo/nope.md" });
const LIST_ROW = { family: "codex", call: LIST } as const;
const READ_ROW = { family: "codex", call: READ } as const;

/** The figures without the time, which differs, and without the answers. */
function figures(measure: Ran | null) {
  const { elapsedMs: _, contents: __, ...others } = measure ?? { elapsedMs: 0, contents: [] };
  return measure === null ? null : others;
}

async function compareTwo(): Promise<void> {
  for (const call of [LIST, READ]) {
    const item = await page.call(call, "you");
    item.isChosen.value = true;
  }
  compareItems(page.timeline.chosenCalls.value);
}

const LISTED = {
  ...{ entries: 5, tokens: 41, wholeTokens: null, writtenTokens: 17, calls: 1, errors: 0 },
};
const REFUSED = {
  ...{ entries: null, tokens: 20, wholeTokens: 20, writtenTokens: 14, calls: 1, errors: 1 },
};

describe("a comparison", () => {
  test("has the chosen calls with their family and what they gave", async () => {
    await compareTwo();
    assert.deepEqual(
      comparedRows.value.map(({ family, call, a, b }) => [family, call, figures(a), b]),
      [
        ["codex", LIST, LISTED, null],
        ["codex", READ, REFUSED, null],
      ],
    );
  });

  test("fetches all further pages, and keeps what the first costs", async () => {
    await compareTwo();
    await runAll(page, { isWhole: true });
    const whole = { ...LISTED, entries: 14, wholeTokens: 110, writtenTokens: 63, calls: 3 };
    assert.deepEqual(
      comparedRows.value.map(({ a }) => figures(a)),
      [whole, REFUSED],
    );
    compareItems(page.timeline.chosenCalls.value);
    assert.equal(comparedRows.value[0]?.a?.calls, 3);
  });

  test("runs on another tree beside the first, and outlives the timeline", async () => {
    await compareTwo();
    await page.mount(TWO);
    await runAll(page, { isWhole: false });
    assert.deepEqual(
      comparedRows.value.map(({ a, b }) => [a?.entries, b?.entries]),
      [
        [5, 5],
        [null, null],
      ],
    );
    assert.deepEqual(
      Object.values(comparedTrees.value).map((tree) => tree?.name),
      ["one", "two"],
    );
  });

  test("begins with the calls of a saved set on the mounted tree", async () => {
    compareCalls([READ_ROW]);
    assert.equal(sideOf({ number: 99, name: "any" }), "a");
    await runAll(page, { isWhole: false });
    assert.deepEqual([comparedTrees.value.a?.name, comparedTrees.value.b], ["one", null]);
    assert.deepEqual(figures(comparedRows.value[0]?.a ?? null), REFUSED);
  });
});

/** Asks every family, and returns the calls with how many entries, calls and errors each took. */
async function askAll(toolName: string, args: object) {
  const item = await page.call(callText(toolName, args), "you");
  await askFamilies(page, item);
  assert.equal(failure.value, "");
  return comparedRows.value.map(({ family, call, a }) => [
    family,
    call.toolName,
    JSON.parse(call.argumentsText),
    [a?.entries, a?.calls, a?.errors],
  ]);
}

describe("the like calls of all families", () => {
  test("list one directory", async () => {
    assert.deepEqual(await askAll("LS", { path: "src" }), [
      ["codex", "list_dir", { dir_path: "/repo/src", depth: 1 }, [1, 1, 0]],
      ["envelope", "LS", { path: "src" }, [1, 1, 0]],
      ["Forge", "list_directory", { path: "src" }, [1, 1, 0]],
    ]);
  });

  test("list what is hidden and the levels below, as far as a family can", async () => {
    assert.deepEqual(await askAll("list_dir", { dir_path: "/repo" }), [
      ["codex", "list_dir", { dir_path: "/repo" }, [14, 1, 0]],
      ["envelope", "LS", { path: ".", include_hidden: true }, [13, 1, 0]],
      [
        "Forge",
        "list_directory",
        { path: ".", include_hidden: true, recursive: true, max_depth: 2 },
        [14, 1, 0],
      ],
    ]);
  });

  test("read the same lines", async () => {
    assert.deepEqual(await askAll("Read", { path: "README.md", start_line: 2, limit: 2 }), [
      ["codex", "read_file", { file_path: "/repo/README.md", offset: 2, limit: 2 }, [null, 1, 0]],
      ["envelope", "Read", { path: "README.md", start_line: 2, limit: 2 }, [null, 1, 0]],
      ["Forge", "forge_read", { path: "README.md", start_line: 2, end_line: 3 }, [null, 1, 0]],
    ]);
  });

  test("search alike for letters in either case", async () => {
    assert.deepEqual(await askAll("Search", { pattern: "sample", include_glob: ["*.md"] }), [
      ["codex", "grep_files", { pattern: "(?i)sample", path: "/repo", include: "*.md" }, [1, 1, 0]],
      [
        "envelope",
        "Grep",
        { pattern: "sample", path: ".", include: "*.md", case_sensitive: false },
        [1, 1, 0],
      ],
      ["Forge", "Search", { pattern: "sample", include_glob: ["*.md"] }, [1, 1, 0]],
    ]);
  });

  test("make the same change, after the reading that a family requires, and leave one", async () => {
    const patch =
      "*** Begin Patch\n*** Update File: README.md\n@@\n-# Sample\n+# One\n*** End Patch";
    assert.deepEqual(await askAll("apply_patch", { input: patch }), [
      ["codex", "apply_patch", { input: patch }, [null, 1, 0]],
      [
        "envelope",
        "Edit",
        { path: "README.md", old_string: "# Sample", new_string: "# One" },
        [null, 2, 0],
      ],
      ["Forge", "Edit", { patch: "LP1\nF README.md\nR\n# Sample\n.\n# One\n.\nEND" }, [null, 2, 0]],
    ]);
    assert.deepEqual([page.changes.value.version, page.changes.value.entries.length], [1, 1]);
  });

  test("make the same file", async () => {
    assert.deepEqual(await askAll("Write", { path: "a b.md", content: "one\ntwo\n" }), [
      [
        "codex",
        "apply_patch",
        { input: "*** Begin Patch\n*** Add File: a b.md\n+one\n+two\n*** End Patch" },
        [null, 1, 0],
      ],
      ["envelope", "Write", { path: "a b.md", content: "one\ntwo\n" }, [null, 1, 0]],
      ["Forge", "Write", { path: "a b.md", content: "one\ntwo\n" }, [null, 1, 0]],
    ]);
  });

  test("exist only for what each family can do below the mount", async () => {
    const calls = [
      callText("Glob", { pattern: "*" }),
      callText("read_file", { file_path: "/repo/README.md", mode: "indentation" }),
      callText("list_dir", { dir_path: "/other" }),
      { ...callText("LS", {}), argumentsText: '{"path": ' },
    ];
    for (const call of calls) {
      assert.equal(hasLikeCalls(await page.call(call, "you")), false, call.toolName);
    }
  });

  test("tell why a change has none", async () => {
    const patch = "*** Begin Patch\n*** Delete File: README.md\n*** End Patch";
    await askFamilies(page, await page.call(callText("apply_patch", { input: patch }), "you"));
    assert.equal(
      failure.value,
      "Only a change of the lines of one file can be asked of every family; this one is another change.",
    );
    assert.equal(page.changes.value.entries.length, 1);
  });
});

const MEASURE = {
  entries: 4,
  tokens: 10,
  wholeTokens: 10,
  writtenTokens: 5,
  contents: [],
  calls: 1,
  errors: 0,
  elapsedMs: 1.25,
} as const;

const ROWS: readonly ComparedRow[] = [
  {
    family: null,
    call: callText("=cmd|'x'!A1", { a: "b|c" }),
    a: MEASURE,
    b: { ...MEASURE, tokens: 7 },
  },
  { family: "envelope", call: callText("Grep", { a: 1 }), a: null, b: null },
  {
    family: "envelope",
    call: callText("LS", { a: 0 }),
    a: { ...MEASURE, entries: null, tokens: 20 },
    b: null,
  },
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

  test("sums the calls of a family that has several, and all calls", () => {
    const [one, , three] = ROWS;
    assert.ok(one && three);
    const rows = [one, three, { ...three, a: MEASURE }];
    const ofEnvelope = { entries: null, tokens: 30, wholeTokens: 20, writtenTokens: 10 };
    const twice = { calls: 2, errors: 0, elapsedMs: 2.5 };
    const all = { entries: null, tokens: 40, wholeTokens: 30, writtenTokens: 15 };
    const thrice = { calls: 3, errors: 0, elapsedMs: 3.75 };
    assert.deepEqual(totalsOf(rows), [
      { name: "All envelope", a: { ...ofEnvelope, ...twice }, b: null },
      { name: "All", a: { ...all, ...thrice }, b: null },
    ]);
    const alike = [{ ...three, family: "codex" as const }, three];
    assert.deepEqual(totalsOf(alike), []);
    const pair = alike.map((row) => ({ ...row, b: MEASURE }));
    assert.deepEqual(
      totalsOf(pair).map(({ name, b }) => [name, b?.entries, b?.tokens]),
      [["All", 8, 20]],
    );
  });

  test("is exported as CSV in which no cell is a formula", () => {
    assert.equal(
      renderCsv(ROWS.slice(0, 2), { a: { number: 1, name: "@tree, one" }, b: null }),
      'Family,Tool,Arguments,"Tokens, @tree, one","Tokens per entry, @tree, one",' +
        '"Tokens for the whole, @tree, one","Tokens written, @tree, one",' +
        '"Entries, @tree, one","Calls, @tree, one","Errors, @tree, one","ms, @tree, one"\r\n' +
        `other,'=cmd|'x'!A1,"{""a"":""b|c""}",10,2.5,10,5,4,1,0,1.3\r\n` +
        'envelope,Grep,"{""a"":1}",,,,,,,,\r\n' +
        "All,,,,,,,,,,\r\n",
    );
  });

  test("is exported as Markdown with both trees", () => {
    const trees = { a: { number: 1, name: "x" }, b: { number: 2, name: "y" } };
    const rule = Array(16).fill("---:").join(" | ");
    assert.equal(
      renderMarkdown(ROWS.slice(0, 1), trees),
      "| Family | Tool | Arguments | Tokens, x | Tokens, y | Tokens per entry, x " +
        "| Tokens per entry, y | Tokens for the whole, x | Tokens for the whole, y " +
        "| Tokens written, x | Tokens written, y | Entries, x | Entries, y | Calls, x | Calls, y " +
        "| Errors, x | Errors, y | ms, x | ms, y |\n" +
        `| --- | --- | --- | ${rule} |\n` +
        `| other | =cmd\\|'x'!A1 | {"a":"b\\|c"} | 10 | 7 | 2.5 | 2.5 | 10 | 10 | 5 | 5 | 4 | 4 ` +
        "| 1 | 1 | 0 | 0 | 1.3 | 1.3 |\n",
    );
  });
});

test("a saved set is read without what is no call", () => {
  const named = { ...callText("Write", {}), family: "Forge" };
  const text = JSON.stringify({ mine: [LIST, named, { toolName: 3 }, null], other: 5 });
  assert.deepEqual(
    [...parseSets(text)],
    [
      ["mine", [LIST_ROW, { family: "Forge", call: callText("Write", {}) }]],
      ["other", []],
    ],
  );
  assert.deepEqual([...parseSets("no JSON")], []);
});
