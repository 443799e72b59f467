import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  reportAsMarkdown,
  transcriptAsMarkdown,
} from "../../src/playground/model/transcript/as-markdown.ts";
import {
  parseTranscript,
  renderTranscript,
  type TranscriptEntry,
  TranscriptInvalid,
} from "../../src/playground/model/transcript/transcript.ts";
import type { PageState } from "../../src/playground/state/page-state.ts";
import { type Providers, startProviders } from "../providers/server.ts";
import { ask, chooseModel, mountProject, shown, startPage } from "../support/asked-model.ts";

const READ = 'model calls read_file {"file_path":"/repo/part-0.txt"}';

let page: PageState;
let providers: Providers;

before(async () => {
  page = startPage();
  providers = await startProviders();
});

beforeEach(() => mountProject(page, { "part-0.txt": "One.\n", "part-1.txt": "Two.\n" }));

after(async () => {
  (await page.client()).close();
  await providers.close();
});

describe("a transcript", () => {
  test("is read back as it was written, without the key", async () => {
    const state = chooseModel(page, providers.origin, "ten-in-parallel");
    await ask(state);
    const entries = state.entries.value;
    assert.deepEqual(parseTranscript(renderTranscript(entries)), entries);
    assert.deepEqual(
      entries.map(({ type }) => type),
      ["conversation", "question", "turn", ...Array(10).fill("call"), "turn"],
    );
  });

  test("is Markdown for a person, with fences longer than those in an answer", async () => {
    await mountProject(page, { "part-0.txt": "```\n" });
    const state = chooseModel(page, providers.origin, "ten-in-parallel");
    await ask(state);
    const [heading, question, call, args, answer] = transcriptAsMarkdown(state.entries.value).split(
      "\n\n",
    );
    assert.deepEqual(
      [heading, question, call, args, answer],
      [
        "## ten-in-parallel · Project",
        "**Question:** What is in /repo?",
        "**read_file** (answered, about 6 tokens)",
        '```json\n{"file_path":"/repo/part-0.txt","offset":null,"limit":null,"mode":null,"indentation":null}\n```',
        "````text\nL1: ```\n````",
      ],
    );
  });
});

describe("a replay", () => {
  async function recorded(): Promise<readonly TranscriptEntry[]> {
    const state = chooseModel(page, providers.origin, "ten-in-parallel");
    await ask(state);
    page.timeline.clear();
    return state.entries.value;
  }

  test("makes the calls again, and finds them the same", async () => {
    const entries = await recorded();
    const state = chooseModel(page, providers.origin, "explorer");
    await state.import(Promise.resolve(entries));
    assert.deepEqual(shown(page).slice(0, 2), [
      `${READ}: L1: One.`,
      `${READ.replace("0", "1")}: L1: Two.`,
    ]);
    const { title, rows } = state.report.value ?? { title: "", rows: [] };
    assert.equal(title, "Replay: 10 the same, 0 different, 0 skipped");
    assert.deepEqual(rows[0], { cells: ["1. read_file", "same"], details: "" });
    assert.deepEqual(state.entries.value, entries);
  });

  test("shows the lines that differ on another tree", async () => {
    const entries = await recorded();
    await mountProject(page, { "part-0.txt": "One.\nMore.\n", "part-1.txt": "Two.\n" });
    const state = chooseModel(page, providers.origin, "explorer");
    await state.replay(entries.slice(0, 5));
    assert.equal(
      state.report.value === null ? "" : reportAsMarkdown(state.report.value),
      [
        "## Replay: 1 the same, 1 different, 0 skipped\n",
        "| Call | Answer |\n| --- | --- |\n| 1. read_file | different |\n| 2. read_file | same |\n",
        "### 1. read_file\n",
        "```diff\n  L1: One.\n+ L2: More.\n```\n",
      ].join("\n"),
    );
  });

  test("ignores how long a call took", async () => {
    const { standing } = await page.call(
      { toolName: "LS", argumentsText: "{}", maxOutputBytes: null },
      "you",
    );
    const entries = await recorded();
    const text = standing.value.kind === "answered" ? standing.value.result.content : "";
    const slower = text.replace(/"time_ms": \d+/, '"time_ms": 9999');
    const call = entries.find((entry) => entry.type === "call");
    assert.ok(call?.type === "call" && slower !== text);
    const state = chooseModel(page, providers.origin, "explorer");
    const listing = { ...call, name: "LS", tool: "LS", arguments: "{}", text: slower };
    await state.replay([...entries.slice(0, 1), listing]);
    assert.equal(state.report.value?.title, "Replay: 1 the same, 0 different, 0 skipped");
  });

  test("says why a file is no transcript", async () => {
    const state = chooseModel(page, providers.origin, "explorer");
    const words = "The file is not a transcript of this page.";
    await state.import(Promise.reject(new TranscriptInvalid(words)));
    assert.deepEqual([state.problem.value, shown(page)], [words, []]);
  });
});
