import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { inputOf } from "../../src/playground/share/program-tabs.tsx";
import { PageState } from "../../src/playground/state/page-state.ts";
import {
  isOfEmptyFile,
  mainArgument,
  totalsOf,
  wordEnd,
  wordError,
  wordRunning,
  wordTotals,
} from "../../src/playground/timeline/call-words.ts";
import { costOf, groupTools } from "../../src/playground/timeline/form/tool-combobox.tsx";
import { readRows, readText, wordNoMatches } from "../../src/ui/answer-rows.ts";
import { mountProject, startPage } from "../support/asked-model.ts";
import { connectRealClient, startRealClient } from "../support/real-client.ts";

let client: TreeglassClient;
let page: PageState;

before(async () => {
  client = await startRealClient({
    "README.md": "# Sample\n",
    "src/a.py": "def f():\n    return 1  # TODO\n# TODO two\n",
    "src/in/b.py": "pass\n",
    "empty.txt": "",
  });
  page = new PageState({
    connect: async () => client,
    fetchFile: () => new Promise(() => undefined),
  });
});

after(() => client.close());

beforeEach(() => page.timeline.clear());

function callText(toolName: string, args: object) {
  return { toolName, argumentsText: JSON.stringify(args), maxOutputBytes: null };
}

/** Makes a call on the timeline and returns what a person sees of its answer. */
async function seen(toolName: string, args: object) {
  const item = await page.call(callText(toolName, args), "you");
  const { value } = item.standing;
  const result = value.kind === "answered" ? value.result : null;
  assert.ok(result);
  const call = { ...item, result, mountPath: "/repo" };
  const rows = readRows(call);
  return rows.length === 0 ? (wordNoMatches(call) ?? readText(result)) : rows;
}

describe("what a person sees of an answer", () => {
  const a = { path: "src/a.py", name: "src/a.py", kind: "file" };

  test("is the matches by file, with their indentation", async () => {
    const lines = [
      { path: "src/a.py", line: 2, text: "    return 1  # TODO", marks: [[16, 20]] },
      { path: "src/a.py", line: 3, text: "# TODO two", marks: [[2, 6]] },
    ];
    assert.deepEqual(await seen("Grep", { pattern: "TODO", path: "." }), [{ ...a, lines }]);
  });

  test("is the files of a search that names no lines", async () => {
    const files = await seen("grep_files", { pattern: "TODO", path: "/repo" });
    assert.deepEqual(files, [{ ...a, lines: [] }]);
  });

  test("is the same words for every search that finds nothing", async () => {
    const words = "No matches found.";
    assert.equal(await seen("Search", { pattern: "absent", path: "." }), words);
    assert.equal(await seen("Grep", { pattern: "absent", path: "." }), words);
    assert.equal(await seen("Glob", { pattern: "*.absent" }), words);
    assert.equal(await seen("grep_files", { pattern: "absent", path: "/repo" }), words);
  });

  test("is the entries of a listing, with their paths below the mount", async () => {
    assert.deepEqual(await seen("LS", { path: "src" }), [
      { path: "src/in", name: "in", kind: "dir", lines: [] },
      { ...a, name: "a.py", lines: [] },
    ]);
  });

  test("is the numbered lines of Read, without their JSON", async () => {
    assert.equal(await seen("Read", { path: "README.md" }), "   1 | # Sample\n");
  });

  test("is the text of a listing that is a text", async () => {
    const text = "Absolute path: /repo/src\na.py\nin/\n  b.py";
    assert.equal(await seen("list_dir", { dir_path: "/repo/src" }), text);
  });

  test("is the sentence of an error", async () => {
    assert.equal(await seen("LS", { path: "missing" }), "Path 'missing' does not exist.");
  });
});

function patch(...paths: readonly string[]): string {
  const changes = paths.map((path) => `*** Update File: ${path}\n@@\n-old\n+new\n`);
  return `*** Begin Patch\n${changes.join("")}*** End Patch\n`;
}

describe("the line of a call", () => {
  const CASES: readonly (readonly [string, object, string])[] = [
    ["list_dir", { dir_path: "/repo", depth: 2 }, "/repo"],
    ["grep_files", { pattern: "TODO", path: "/repo/src" }, "TODO in /repo/src"],
    ["Glob", { pattern: "**/*.md" }, "**/*.md"],
    ["apply_patch", { input: "*** Begin Patch\n*** End Patch" }, "*** Begin Patch"],
    ["apply_patch", { input: patch("a.py") }, "a.py"],
    ["apply_patch", { input: patch("a.py", "b/c.py", "d") }, "a.py and 2 more"],
    ["Read", { path: "a\u202eb" }, "a\\u202eb"],
    ["LS", {}, ""],
  ];
  for (const [toolName, args, expected] of CASES) {
    test(`of ${toolName} has the main argument ${JSON.stringify(expected)}`, () => {
      assert.equal(mainArgument(callText(toolName, args)), expected);
    });
  }

  test("shows arguments that are no JSON as they are", () => {
    const argumentsText = `{"path": ${"x".repeat(90)}`;
    const shown = `{"path": ${"x".repeat(71)}…`;
    assert.equal(mainArgument({ ...callText("LS", {}), argumentsText }), shown);
  });

  test("says how long a call runs and how far it is", () => {
    assert.equal(wordRunning(12_900, ""), "running 12 s");
    assert.equal(
      wordRunning(1_000, "4,300 of 20,000 entries"),
      "running 1 s · 4,300 of 20,000 entries",
    );
  });

  test("announces that more follows only if a further call continues the answer", async () => {
    const result = await client.callTool("list_dir", { dir_path: "/repo", limit: 1 });
    const end = (nextArguments: typeof result.nextArguments) =>
      wordEnd("list_dir", { kind: "answered", result: { ...result, nextArguments, elapsedMs: 2 } });
    const answered = "list_dir answered: 20 tokens, 2.0 ms, part of it";
    assert.equal(end(result.nextArguments), `${answered}: more follows`);
    assert.equal(end(null), answered);
  });

  test("names an error by the tool family's own word", async () => {
    const result = await client.callTool("read_file", { file_path: "/repo/nope.py" });
    assert.equal(
      wordError(result),
      "The model reads this error. The tool's design calls it RespondToModel.",
    );
    const standing = { kind: "answered", result } as const;
    assert.equal(wordEnd("read_file", standing), "read_file answered with an error");
  });

  test("tells an empty file from an offset beyond the end of another one", async () => {
    const isEmpty = async (args: object) => {
      const call = callText("read_file", args);
      return isOfEmptyFile(call, await client.callTool("read_file", call.argumentsText));
    };
    assert.deepEqual(
      await Promise.all([
        isEmpty({ file_path: "/repo/empty.txt" }),
        isEmpty({ file_path: "/repo/empty.txt", offset: 1 }),
        isEmpty({ file_path: "/repo/README.md", offset: 9 }),
        isEmpty({ file_path: "/repo/README.md" }),
      ]),
      [true, true, false, false],
    );
  });

  test("says that a call was stopped or has failed", () => {
    assert.equal(wordEnd("LS", { kind: "stopped" }), "LS was stopped");
    assert.equal(wordEnd("LS", { kind: "failed", sentence: "Why." }), "LS failed: Why.");
  });
});

test("the foot sums the calls, and counts a call without an answer", async () => {
  page.timeline.addText("question", "you", "Why?");
  const list = await page.call(callText("list_dir", { dir_path: "/repo/src" }), "model");
  await page.call(callText("read_file", { file_path: "/repo/nope.py" }), "model");
  const stop = new AbortController();
  stop.abort();
  await page.call(callText("LS", {}), "you", { signal: stop.signal });
  const content = ["Absolute path: /repo/src", "a.py", "in/", "  b.py"].join("\n");
  const failure = "failed to read file: No such file or directory (os error 2)";
  assert.equal(
    list.standing.value.kind === "answered" && list.standing.value.result.content,
    content,
  );
  const { elapsedMs, ...totals } = totalsOf(page.timeline.calls.value);
  assert.deepEqual(totals, {
    calls: 3,
    errors: 1,
    tokens: 39,
    bytes: content.length + failure.length,
  });
  assert.equal(
    wordTotals({ ...totals, elapsedMs: 2 }),
    "3 calls · 1 error · 39 tokens · 99 bytes · 2.0 ms",
  );
});

test("a program makes the newest call without an error, or else lists the tree", async () => {
  const made = () => JSON.parse(inputOf(page).call.argumentsText);
  assert.deepEqual(made(), { dir_path: "/repo" });
  await page.call(callText("read_file", { file_path: "/repo/nope.py" }), "tour");
  assert.deepEqual(made(), { dir_path: "/repo" });
  await page.call(callText("list_dir", { dir_path: "/repo/src" }), "tour");
  await page.call(callText("read_file", { file_path: "/repo/nope.py" }), "tour");
  assert.deepEqual(made(), { dir_path: "/repo/src" });
});

test("a program asks the newest question, or else for what is in the tree", () => {
  const asked = () => inputOf(page).question;
  assert.equal(asked(), "What is in /repo?");
  page.timeline.addText("question", "you", "Which file has the TODO?");
  page.timeline.addText("note", "tour", "A note is no question.");
  assert.equal(asked(), "Which file has the TODO?");
});

describe("a call by hand that changes something", () => {
  const kinds = () => page.timeline.items.value.map(({ kind }) => kind);
  const edit = (line: string, by: "you" | "model" = "you") =>
    page.call(
      callText("apply_patch", {
        input: `*** Begin Patch\n*** Update File: /repo/README.md\n@@\n+${line}\n*** End Patch\n`,
      }),
      by,
    );

  before(() => page.offerEditing("codex"));

  beforeEach(async () => {
    await client.discardChanges();
    await page.refreshChanges();
  });

  after(() => page.offerEditing(undefined));

  test("ends in the one review, which moves only with a further change", async () => {
    await edit("one");
    assert.deepEqual(kinds(), ["call", "review"]);
    const [, review] = page.timeline.items.value;
    await page.call(callText("LS", {}), "you");
    assert.deepEqual(kinds(), ["call", "review", "call"]);
    await edit("two");
    assert.deepEqual(kinds(), ["call", "call", "call", "review"]);
    assert.equal(page.timeline.items.value.at(-1)?.number, review?.number);
  });

  test("keeps its review when the calls are cleared", async () => {
    await edit("one");
    const [, review] = page.timeline.items.value;
    page.timeline.clear({ keepsReview: true });
    assert.deepEqual(page.timeline.items.value, [review]);
    page.timeline.clear();
    assert.deepEqual(kinds(), []);
  });

  test("has its review beside a call of a model, whose turn ends in the review", async () => {
    await edit("one", "model");
    assert.deepEqual(kinds(), ["call"]);
    await page.refreshChanges();
    page.goToReview();
    assert.deepEqual([kinds(), page.section.value], [["call", "review"], "calls"]);
  });
});

describe("another tree in place of one with proposed changes", () => {
  const choice = { name: "other", open: async () => ({ entries: { "a.txt": "" } }) };
  const input = "*** Begin Patch\n*** Add File: /repo/new.md\n+# New\n*** End Patch\n";
  const config = { tools: { experimental_supported_tools: ["apply_patch", "list_dir"] } };

  async function startChanged() {
    const changed = new PageState({
      connect: () => connectRealClient(),
      fetchFile: () => new Promise(() => undefined),
    });
    await changed.mount({ ...choice, name: "one" });
    await changed.configure(config);
    await changed.call(callText("apply_patch", { input }), "you");
    return changed;
  }

  test("is opened once the visitor says so, and drops them", async () => {
    const changed = await startChanged();
    const cancelled = changed.open(choice);
    assert.equal(changed.replacement.value?.choice, choice);
    const later = changed.open(choice);
    assert.equal(await cancelled, false);
    assert.equal(changed.changes.value.entries.length, 1);
    changed.replacement.value?.decide(true);
    assert.deepEqual([await later, changed.replacement.value], [true, null]);
    const real = await changed.client();
    assert.deepEqual((await real.changes()).entries, []);
    assert.equal(changed.tree.value?.choice, choice);
    assert.equal(await changed.open(choice), true);
    real.close();
  });
});

describe("the choice of a tool", () => {
  test("lists the tools by the design that they copy, those that change files too", async () => {
    const groups = groupTools(await client.listTools());
    assert.deepEqual(
      groups.map(({ family, tools }) => [family, tools.map(({ name }) => name)]),
      [
        ["codex", ["list_dir", "read_file", "grep_files", "apply_patch"]],
        ["envelope", ["LS", "Read", "Glob", "Grep", "Edit", "Write", "MultiEdit"]],
        ["Forge", ["list_directory", "Search", "forge_read", "Edit", "Write"]],
      ],
    );
  });

  test("tells a tool from that of another family with its name", () => {
    const definition = (fullName: string) => ({
      name: "Glob",
      title: "Glob",
      description: "Finds files. Slowly.",
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      _meta: { "treeglass/fullName": fullName },
    });
    const globs = (fullName: string) =>
      groupTools([definition(fullName)], "Glob").flatMap(({ family, tools }) =>
        tools.map(({ name, summary }) => [family, name, summary]),
      );
    assert.deepEqual(globs("envelope.Glob"), [
      ["envelope", "Glob", "Files by a pattern for their path"],
    ]);
    assert.deepEqual(globs("forge.Glob"), [["other", "Glob", "Finds files."]]);
  });

  test("finds tools by words of their name, family or summary", async () => {
    const groups = groupTools(await client.listTools(), "JSON columns");
    assert.deepEqual(
      groups.map(({ family, tools }) => [family, tools.map(({ name }) => name)]),
      [["Forge", ["Search"]]],
    );
  });

  test("says what a definition costs in every request, without what a model does not read", () => {
    const tool = {
      name: "look",
      title: "A title that no model reads",
      description: "Looks at a file.",
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    };
    assert.equal(costOf(tool), 37);
  });
});

test("what was read of a file has no mark once it changes, and a read right after has", async () => {
  const changing = startPage();
  await mountProject(changing);
  await changing.offerEditing("codex");
  const call = (toolName: string, args: object) => changing.call(callText(toolName, args), "model");
  const patch =
    "*** Begin Patch\n*** Update File: README.md\n@@\n-# Sample\n+# Example\n*** End Patch\n";
  await call("read_file", { file_path: "/repo/README.md" });
  await call("read_file", { file_path: "/repo/src/main.py" });
  // A model's calls of one turn are made together.
  await Promise.all([
    call("apply_patch", { input: patch }),
    call("read_file", { file_path: "/repo/README.md", limit: 1 }),
  ]);

  assert.deepEqual(Array.from(changing.marks.byPath.value), [
    ["src/main.py", [{ first: 1, last: 2 }]],
    ["README.md", [{ first: 1, last: 1 }]],
  ]);
  (await changing.client()).close();
});
