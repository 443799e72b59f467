import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anthropicTools } from "../../src/adapters/anthropic.ts";
import { geminiTools } from "../../src/adapters/gemini.ts";
import { openAiChatTools } from "../../src/adapters/openai.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { CallLog, heard, startForAllTests } from "../providers/exploration.ts";
import {
  anthropicHost,
  anthropicLibrary,
  type Converse,
  chatHost,
  geminiHost,
  geminiLibrary,
  openAiLibrary,
  type Settings,
} from "../providers/hosts.ts";

const started = startForAllTests();

/** Ways to ask a provider a question. */
interface Provider {
  plain(settings: Settings): Converse;
  streamed(): Converse;
  /** Stops at the first piece of a stream. */
  stopped(): Converse;
  /** Answers a message with calls of `read_file` for part 0, by their ids. */
  answer(options: ToolsetOptions, ids: readonly string[], signal: AbortSignal): Promise<unknown>;
  /** The arguments of these calls, as the model sent them. */
  readonly args: unknown;
}

const PART = { file_path: "/repo/part-0.txt" };
const PART_JSON = JSON.stringify(PART);

const anthropic: Provider = {
  plain: (settings) =>
    anthropicHost(started).by((body) => anthropicLibrary(started, settings).messages.create(body)),
  streamed: () => anthropicHost(started).streamed,
  stopped: () =>
    anthropicHost(started).by((body) => {
      const stream = anthropicLibrary(started).messages.stream(body);
      stream.on("text", () => stream.abort());
      return stream.finalMessage();
    }),
  answer: async (options, ids, signal) => {
    const { answer } = await anthropicTools(started.client, options);
    const content = ids.map((id) => ({ type: "tool_use", id, name: "read_file", input: PART }));
    return answer({ content }, { signal });
  },
  args: PART,
};

const openAi: Provider = {
  plain: (settings) =>
    chatHost(started).by((body) => openAiLibrary(started, settings).chat.completions.create(body)),
  streamed: () => chatHost(started).streamed,
  stopped: () =>
    chatHost(started).by((body) => {
      const { signal, abort } = aborting();
      const { completions } = openAiLibrary(started).chat;
      const stream = completions.stream({ ...body, stream: true }, { signal });
      stream.on("chunk", abort);
      return stream.finalChatCompletion();
    }),
  answer: async (options, ids, signal) => {
    const { answer } = await openAiChatTools(started.client, options);
    const called = { name: "read_file", arguments: PART_JSON };
    const tool_calls = ids.map((id) => ({ id, type: "function", function: called }));
    return answer({ tool_calls }, { signal });
  },
  args: PART_JSON,
};

const gemini: Provider = {
  plain: (settings) =>
    geminiHost(started).by(async ({ config, ...request }) => {
      const { models } = geminiLibrary(started);
      const impatient = { ...config, httpOptions: settings };
      const { candidates } = await models.generateContent({ ...request, config: impatient });
      return candidates?.[0]?.content ?? null;
    }),
  streamed: () => geminiHost(started).streamed,
  stopped: () =>
    geminiHost(started).by(async ({ config, ...request }) => {
      const { signal: abortSignal, abort } = aborting();
      const { models } = geminiLibrary(started);
      const stoppable = { ...config, abortSignal };
      for await (const _ of await models.generateContentStream({ ...request, config: stoppable })) {
        abort();
      }
      return null;
    }),
  answer: async (options, ids, signal) => {
    const { answer } = await geminiTools(started.client, options);
    const parts = ids.map((id) => ({ functionCall: { id, name: "read_file", args: PART } }));
    return answer({ parts }, { signal });
  },
  args: PART,
};

function aborting() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const ofAnthropic = (type: string, message: string) =>
  JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
const ofGemini = (code: number, message: string, status: string) =>
  JSON.stringify({ error: { code, message, status } });

type Way = keyof Pick<Provider, "plain" | "streamed" | "stopped">;

/** The scripted model and the way to ask; the library's error, and its number of requests. */
const FAILURES: readonly [
  [string, Provider],
  readonly [string, Way, string, string, number?, Settings?][],
][] = [
  [
    ["Anthropic", anthropic],
    [
      [
        "status-401",
        "plain",
        "AuthenticationError",
        `401 ${ofAnthropic("authentication_error", "The key is not valid.")}`,
      ],
      [
        "status-429",
        "plain",
        "RateLimitError",
        `429 ${ofAnthropic("rate_limit_error", "The rate limit is reached.")}`,
        3,
        { maxRetries: 2 },
      ],
      [
        "status-500",
        "streamed",
        "InternalServerError",
        `500 ${ofAnthropic("api_error", "The provider failed.")}`,
      ],
      ["hangs", "plain", "APIConnectionTimeoutError", "Request timed out.", 1, { timeout: 500 }],
      ["drops-stream", "streamed", "AnthropicError", "terminated"],
      ["stalls-stream", "stopped", "APIUserAbortError", "Request was aborted."],
    ],
  ],
  [
    ["OpenAI", openAi],
    [
      ["status-401", "plain", "AuthenticationError", "401 The key is not valid."],
      [
        "status-429",
        "plain",
        "RateLimitError",
        "429 The rate limit is reached.",
        3,
        { maxRetries: 2 },
      ],
      ["status-500", "plain", "InternalServerError", "500 The provider failed."],
      ["hangs", "plain", "APIConnectionTimeoutError", "Request timed out.", 1, { timeout: 500 }],
      ["drops-stream", "streamed", "OpenAIError", "terminated"],
      ["stalls-stream", "stopped", "APIUserAbortError", "Request was aborted."],
    ],
  ],
  [
    ["Gemini", gemini],
    [
      [
        "status-401",
        "plain",
        "ApiError",
        ofGemini(401, "The key is not valid.", "UNAUTHENTICATED"),
      ],
      [
        "status-429",
        "plain",
        "ApiError",
        ofGemini(429, "The rate limit is reached.", "RESOURCE_EXHAUSTED"),
      ],
      ["status-500", "plain", "ApiError", ofGemini(500, "The provider failed.", "INTERNAL")],
      ["hangs", "plain", "DOMException", "This operation was aborted", 1, { timeout: 500 }],
      ["drops-stream", "streamed", "TypeError", "terminated"],
      ["stalls-stream", "stopped", "DOMException", "This operation was aborted"],
    ],
  ],
];

for (const [[name, provider], failures] of FAILURES) {
  describe(`a conversation with ${name}`, () => {
    for (const [model, way, error, message, requests = 1, settings = {}] of failures) {
      test(`that fails calls no tool: ${model}, ${way}`, async () => {
        started.providers.takeRecorded();
        const { onCall, calls } = new CallLog();
        await assert.rejects(provider[way](settings)(model, { onCall }), (thrown) => {
          assert.ok(thrown instanceof Error);
          assert.deepEqual([thrown.constructor.name, thrown.message], [error, message]);
          return true;
        });
        assert.deepEqual([started.providers.takeRecorded().length, calls], [requests, []]);
      });
    }

    test("that is stopped in its calls rejects with the reason, with an event for each", async () => {
      const log = new CallLog();
      const controller = new AbortController();
      const reason = new Error("The person pressed stop.");
      const onCall: ToolsetOptions["onCall"] = (event) => {
        log.onCall(event);
        controller.abort(reason);
      };
      const ids = Array.from({ length: 10 }, (_, index) => `call_${index}`);
      await assert.rejects(provider.answer({ onCall }, ids, controller.signal), reason);
      await log.reached(ids.length);
      const aborted = { outcome: "aborted", isError: true } as const;
      assert.deepEqual(
        log.calls,
        ids.map((id, index) =>
          index === 0
            ? heard("read_file", id, provider.args, "L1: This is part 0.")
            : heard("read_file", id, provider.args, "", aborted),
        ),
      );
    });

    test("that is stopped before its calls runs none", async () => {
      const { onCall, calls } = new CallLog();
      const reason = new Error("The person pressed stop.");
      const stopped = AbortSignal.abort(reason);
      await assert.rejects(provider.answer({ onCall }, ["call_1"], stopped), reason);
      const aborted = { outcome: "aborted", isError: true } as const;
      assert.deepEqual(calls, [heard("read_file", "call_1", provider.args, "", aborted)]);
    });
  });
}

test("a call after its tree was unmounted learns that the tree is gone", async () => {
  const log = new CallLog();
  const { answer } = await openAiChatTools(started.client, { onCall: log.onCall });
  await started.client.mount("/gone", { entries: { "a.txt": "a" } });
  const args = '{"dir_path":"/gone"}';
  const called = { name: "list_dir", arguments: args };
  const message = { tool_calls: [{ id: "call_1", type: "function", function: called }] };
  const told = (content: string) => [{ role: "tool", tool_call_id: "call_1", content }];
  assert.deepEqual(await answer(message), told("Absolute path: /gone\na.txt"));
  await started.client.unmount("/gone");
  const text = "failed to read directory: No such file or directory (os error 2)";
  assert.deepEqual(await answer(message), told(text));
  assert.deepEqual(log.calls, [
    heard("list_dir", "call_1", args, "Absolute path: /gone\na.txt"),
    heard("list_dir", "call_1", args, text, { isError: true }),
  ]);
});
