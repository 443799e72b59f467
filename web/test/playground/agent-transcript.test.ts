import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToolset } from "../../src/adapters/toolset.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { replayCalls } from "../../src/playground/model/transcript/replay.ts";
import {
  type CallEntry,
  MAX_TRANSCRIPT_ENTRIES,
  parseTranscript,
  renderTranscript,
  TRANSCRIPT_FORMAT,
  type TranscriptEntry,
  TranscriptInvalid,
  toCallEntry,
} from "../../src/playground/model/transcript/transcript.ts";
import { startRealClient } from "../support/real-client.ts";

let client: TreeglassClient;

before(async () => {
  client = await startRealClient({ "README.md": "# Sample\n", "src/main.py": "x = 1\n" });
});

after(() => client.close());

const CALL: CallEntry = {
  type: "call",
  name: "list_dir",
  tool: "list_dir",
  callId: "call_1",
  arguments: '{"dir_path":"/repo"}',
  outcome: "answered",
  text: "Absolute path: /repo\nREADME.md\n\u202e",
  isError: false,
  truncated: true,
  sizeBytes: 34,
  estimatedTokens: 12,
  elapsedMs: 1.5,
  nextArguments: { dir_path: "/repo", offset: 2 },
};

const TRANSCRIPT: readonly TranscriptEntry[] = [
  {
    type: "conversation",
    format: TRANSCRIPT_FORMAT,
    model: "explorer",
    origin: "http://localhost:11434",
    tree: "npm package fflate@0.8.2",
    link: "npm=fflate%400.8.2",
  },
  { type: "question", text: "What is here?\nAll of it." },
  { type: "turn", text: "I look.", callCount: 1, isWhole: true, elapsedMs: 12 },
  CALL,
  { type: "notice", kind: "stopped", text: "Stopped." },
  { type: "notice", kind: "note", text: "Note of the host:\n/repo/a: the person rejected it" },
];

describe("a transcript", () => {
  test("has one line per entry, and parses back to the same entries", () => {
    const text = renderTranscript(TRANSCRIPT);
    assert.equal(text.split("\n").length, TRANSCRIPT.length + 1);
    assert.deepEqual(parseTranscript(text), TRANSCRIPT);
  });

  test("loses unknown members, such as a key", () => {
    const lines = TRANSCRIPT.map((entry) => JSON.stringify({ ...entry, key: "sk-1" })).join("\n");
    assert.deepEqual(parseTranscript(lines), TRANSCRIPT);
  });

  for (const [what, text, message] of [
    [
      "nothing",
      "",
      "The file is not a transcript of this page: its first line does not say treeglass-transcript/1.",
    ],
    [
      "an entry without a conversation",
      '{"type":"question","text":"x"}',
      "The file is not a transcript of this page: its first line does not say treeglass-transcript/1.",
    ],
    [
      "another format",
      JSON.stringify({ ...TRANSCRIPT[0], format: "treeglass-transcript/2" }),
      "Line 1 of the transcript is not an entry.",
    ],
    ["no JSON", `${JSON.stringify(TRANSCRIPT[0])}\n{`, "Line 2 of the transcript is not JSON."],
    ["a list", "[]", "Line 1 of the transcript is not an entry."],
    [
      "an unknown type",
      `${JSON.stringify(TRANSCRIPT[0])}\n{"type":"spell"}`,
      "Line 2 of the transcript is not an entry.",
    ],
  ] as const) {
    test(`is not ${what}`, () => {
      assert.throws(() => parseTranscript(text), new TranscriptInvalid(message));
    });
  }

  test("has no more entries than a page can show", () => {
    const [first] = TRANSCRIPT;
    const question = JSON.stringify({ type: "question", text: "x" });
    const write = (count: number) =>
      [JSON.stringify(first), ...Array.from({ length: count - 1 }, () => question)].join("\n");
    assert.equal(parseTranscript(write(MAX_TRANSCRIPT_ENTRIES)).length, MAX_TRANSCRIPT_ENTRIES);
    assert.throws(
      () => parseTranscript(write(MAX_TRANSCRIPT_ENTRIES + 1)),
      new TranscriptInvalid(
        "The transcript has more than 5000 lines, the most that the page shows. Import a part of it that begins with a conversation's first line.",
      ),
    );
  });

  test("has no entry with a member of the wrong type", () => {
    const taken: string[] = [];
    for (const entry of TRANSCRIPT) {
      for (const member of Object.keys(entry).filter((key) => key !== "arguments")) {
        const lines = `${JSON.stringify(TRANSCRIPT[0])}\n${JSON.stringify({ ...entry, [member]: [] })}`;
        try {
          parseTranscript(lines);
          taken.push(`${entry.type}.${member}`);
        } catch (error) {
          assert.ok(error instanceof TranscriptInvalid);
        }
      }
    }
    assert.deepEqual(taken, []);
  });
});

/** The answer that a call gives which takes longer. */
function slower(text: string): string {
  return text.replace(/Took \d+ms/g, "Took 987ms").replace(/"time_ms":\d+/g, '"time_ms":987');
}

const README_DIFFERENCE = [
  "- L1: # Sample",
  "+ failed to read file: No such file or directory (os error 2)",
].join("\n");

describe("a replay", () => {
  async function record(
    asked: readonly (readonly [string, unknown])[],
  ): Promise<TranscriptEntry[]> {
    const entries: CallEntry[] = [];
    const toolset = await createToolset(
      client,
      { onCall: (event) => entries.push(toCallEntry(event)) },
      { nullsAreAbsent: true },
    );
    for (const [name, args] of asked) {
      await toolset.call(name, args);
    }
    const [conversation] = TRANSCRIPT;
    assert.ok(conversation?.type === "conversation");
    return [conversation, ...entries];
  }

  async function replay(entries: readonly TranscriptEntry[]) {
    const { signal } = new AbortController();
    const calls = await replayCalls(client, entries, signal);
    return calls.map(({ index, verdict, difference }) =>
      difference === null ? [index, verdict] : [index, verdict, difference],
    );
  }

  test("finds the same answers on the same tree, whatever their times", async () => {
    const strict = '{"dir_path":"/repo","offset":null,"limit":null,"depth":null}';
    const recorded = [
      ...(await record([["list_dir", strict]])),
      ...(await record([
        ["LS", {}],
        ["Read", { path: "README.md" }],
        ["Grep", { pattern: "x" }],
        ["list_directory", { path: "." }],
        ["read_file", { file_path: "/repo/none" }],
        ["read_file", '{"file_path": '],
      ])),
    ];
    const entries = recorded.map((entry) =>
      entry.type === "call" ? { ...entry, text: slower(entry.text) } : entry,
    );
    assert.deepEqual(await replay(entries), [
      [1, "same"],
      [3, "same"],
      [4, "same"],
      [5, "same"],
      [6, "same"],
      [7, "same"],
      [8, "same"],
    ]);
  });

  test("marks different answers on another tree, and skips calls without an answer and those that change", async () => {
    const entries = await record([
      ["read_file", { file_path: "/repo/README.md" }],
      ["read_file", { file_path: "/repo/src/main.py" }],
      ["delete_everything", {}],
    ]);
    entries.push({ ...CALL, name: "apply_patch", tool: "apply_patch" });
    await client.mount("/repo", { entries: { "src/main.py": "x = 1\n" } }, { replace: true });
    assert.deepEqual(await replay(entries), [
      [1, "differs", README_DIFFERENCE],
      [2, "same"],
      [3, "skipped"],
      [4, "skipped"],
    ]);
  });

  test("is stopped by its signal", async () => {
    const entries = await record([["LS", {}]]);
    const reason = new Error("stopped");
    await assert.rejects(replayCalls(client, entries, AbortSignal.abort(reason)), reason);
  });
});

describe("the entry of a call", () => {
  test("has the tool's own time, without the wait for approval", async () => {
    const { type: _, ...event } = CALL;
    const waited = { ...event, result: null, elapsedMs: 60_000 };
    const result = await client.callTool("LS", {});
    assert.deepEqual(
      [toCallEntry({ ...waited, result }).elapsedMs, toCallEntry(waited).elapsedMs],
      [result.elapsedMs, 60_000],
    );
  });
});
