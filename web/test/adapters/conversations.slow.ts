import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aiSdkHost, langChainHost } from "../providers/agent-libraries.ts";
import {
  CallLog,
  CONCLUSION,
  EXPLORATION,
  heard,
  INTRODUCTION,
  startForAllTests,
} from "../providers/exploration.ts";
import {
  anthropicHost,
  type Called,
  chatHost,
  geminiHost,
  type Host,
  responsesHost,
} from "../providers/hosts.ts";

const started = startForAllTests();

const HOSTS: Readonly<Record<string, () => Host>> = {
  "OpenAI Chat Completions": () => chatHost(started),
  "OpenAI Responses": () => responsesHost(started),
  Anthropic: () => anthropicHost(started),
  Gemini: () => geminiHost(started),
  "the AI SDK": () => aiSdkHost(started),
  LangChain: () => langChainHost(started),
};

const ENTRIES = Array.from({ length: 10 }, (_, index) => `part-${index}.txt`);
const LISTED = ["Absolute path: /repo", "README.md", ...ENTRIES, "src/"].join("\n");
const README = "L1: # Sample\nL2: \nL3: A tree for agents.";

/** The scripted model, what it calls, and what it is told. */
const MISTAKES: readonly (readonly [model: string, call: Called[1], text: string, rest: object])[] =
  [
    [
      "unknown-tool",
      { name: "delete_everything", args: {} },
      'There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.',
      { tool: null, outcome: "unknown" },
    ],
    [
      "wrong-types",
      { name: "list_dir", args: { dir_path: 7, depth: "two" } },
      'failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must be a whole number between 0 and 18446744073709551615, without a decimal point, not "two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}',
      {},
    ],
  ];

/** Hosts whose library answers a call of an unknown tool itself. */
const ANSWERS_UNKNOWN = ["the AI SDK", "LangChain"];
/** Hosts whose library refuses or replaces the second of two equal ids in a stream. */
const CHANGES_IDS = ["OpenAI Responses", "the AI SDK"];

for (const [name, hostOf] of Object.entries(HOSTS)) {
  for (const way of ["plain", "streamed"] as const) {
    describe(`a conversation with ${name}, ${way},`, () => {
      test("reads the next page, gets an error and quotes the file", async () => {
        started.providers.takeRecorded();
        const host = hostOf();
        const log = new CallLog();
        assert.deepEqual(await host[way]("explorer", { onCall: log.onCall }), [
          ...host.asked,
          ...EXPLORATION.flatMap((step, index) => {
            const called = [`call_${index + 1}_1`, step] as const;
            return [
              ...host.asks([called], index === 0 ? INTRODUCTION : undefined),
              ...host.told([[...called, step.text, step.isError]]),
            ];
          }),
          host.says(CONCLUSION),
        ]);
        assert.deepEqual(
          log.calls,
          EXPLORATION.map((step, index) =>
            heard(step.name, `call_${index + 1}_1`, host.sent(step), step.text, {
              isError: step.isError,
              truncated: index < 3,
            }),
          ),
        );
        const [plain, streamed, key] = host.requests;
        assert.deepEqual(
          started.providers
            .takeRecorded()
            .map(({ path, headers, refusal }) => [
              path,
              headers.authorization ?? headers["x-goog-api-key"],
              refusal,
            ]),
          [...EXPLORATION, null].map(() => [way === "plain" ? plain : streamed, key, null]),
        );
      });

      const isAsked = ([model]: (typeof MISTAKES)[number]) =>
        model !== "unknown-tool" || !ANSWERS_UNKNOWN.includes(name);
      for (const [model, call, text, rest] of MISTAKES.filter(isAsked)) {
        test(`tells a model what is wrong: ${model}`, async () => {
          const host = hostOf();
          const log = new CallLog();
          const called = ["call_1_1", call] as const;
          assert.deepEqual(await host[way](model, { onCall: log.onCall }), [
            ...host.asked,
            ...host.asks([called]),
            ...host.told([[...called, text, true]]),
            host.says(`I was told: ${text}`),
          ]);
          assert.deepEqual(log.calls, [
            heard(call.name, "call_1_1", host.sent(call), text, { isError: true, ...rest }),
          ]);
        });
      }

      if (way === "plain" || !CHANGES_IDS.includes(name)) {
        test("answers two calls with the same id twice, in their order", async () => {
          const host = hostOf();
          const messages = await host[way]("duplicate-ids");
          const answers = host.told([
            ["call_same", { name: "list_dir", args: {} }, LISTED],
            ["call_same", { name: "read_file", args: {} }, README],
          ]);
          const end = [...answers, host.says("I was told: L1: # Sample")];
          assert.deepEqual(messages.slice(-end.length), end);
        });
      }

      test("answers ten calls at once in their order", async () => {
        const host = hostOf();
        const log = new CallLog();
        const messages = await host[way]("ten-in-parallel", { onCall: log.onCall });
        const answers = host.told(
          ENTRIES.map((_, index) => [
            `call_1_${index + 1}`,
            { name: "read_file", args: {} },
            `L1: This is part ${index}.`,
          ]),
        );
        const end = [...answers, host.says("I was told: L1: This is part 9.")];
        assert.deepEqual(messages.slice(-end.length), end);
        assert.deepEqual(
          log.calls.map(({ callId, outcome }) => [callId, outcome]),
          ENTRIES.map((_, index) => [`call_1_${index + 1}`, "answered"]),
        );
      });
    });
  }
}
