import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { type GenerateContentParameters, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { anthropicTools } from "../../src/adapters/anthropic.ts";
import { geminiTools } from "../../src/adapters/gemini.ts";
import { openAiChatTools } from "../../src/adapters/openai.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { CallLog, heard, QUESTION, startForAllTests } from "../providers/exploration.ts";

const started = startForAllTests();

interface Settings {
  readonly maxRetries?: number;
  readonly timeout?: number;
}

/** Ways to ask a provider one question, whose calls are answered. */
interface Provider {
  plain(model: string, options: ToolsetOptions, settings?: Settings): Promise<unknown>;
  streamed(model: string, options: ToolsetOptions): Promise<unknown>;
  /** Stops at the first piece of a stream. */
  stopped(model: string, options: ToolsetOptions): Promise<unknown>;
  /** Answers a message with calls of `read_file` for part 0, by their ids. */
  answer(options: ToolsetOptions, ids: readonly string[], signal: AbortSignal): Promise<unknown>;
  /** The arguments of these calls, as the model sent them. */
  readonly args: unknown;
}

const PART = { file_path: "/repo/part-0.txt" };

const anthropic: Provider = (() => {
  const sdk = (settings: Settings = {}) =>
    new Anthropic({
      baseURL: started.providers.origin,
      apiKey: "sk-of-the-person",
      maxRetries: 0,
      ...settings,
    });
  const converse = async (
    model: string,
    options: ToolsetOptions,
    ask: (body: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>,
  ) => {
    const { tools, answer } = await anthropicTools(started.client, options);
    const messages = [{ role: "user" as const, content: QUESTION }];
    return answer(await ask({ model, max_tokens: 100, messages, tools }));
  };
  return {
    plain: (model, options, settings) =>
      converse(model, options, (body) => sdk(settings).messages.create(body)),
    streamed: (model, options) =>
      converse(model, options, (body) => sdk().messages.stream(body).finalMessage()),
    stopped: (model, options) =>
      converse(model, options, (body) => {
        const stream = sdk().messages.stream(body);
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
})();

const openAi: Provider = (() => {
  const sdk = (settings: Settings = {}) =>
    new OpenAI({
      baseURL: `${started.providers.origin}/v1`,
      apiKey: "sk-of-the-person",
      maxRetries: 0,
      ...settings,
    });
  const converse = async (
    model: string,
    options: ToolsetOptions,
    ask: (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => Promise<OpenAI.ChatCompletion>,
  ) => {
    const { tools, answer } = await openAiChatTools(started.client, options);
    const completion = await ask({ model, messages: [{ role: "user", content: QUESTION }], tools });
    return answer(completion.choices[0]?.message ?? {});
  };
  const args = JSON.stringify(PART);
  return {
    plain: (model, options, settings) =>
      converse(model, options, (body) => sdk(settings).chat.completions.create(body)),
    streamed: (model, options) =>
      converse(model, options, (body) =>
        sdk()
          .chat.completions.stream({ ...body, stream: true })
          .finalChatCompletion(),
      ),
    stopped: (model, options) =>
      converse(model, options, (body) => {
        const { signal, abort } = aborting();
        const stream = sdk().chat.completions.stream({ ...body, stream: true }, { signal });
        stream.on("chunk", abort);
        return stream.finalChatCompletion();
      }),
    answer: async (options, ids, signal) => {
      const { answer } = await openAiChatTools(started.client, options);
      const called = { name: "read_file", arguments: args };
      const tool_calls = ids.map((id) => ({ id, type: "function", function: called }));
      return answer({ tool_calls }, { signal });
    },
    args,
  };
})();

const gemini: Provider = (() => {
  const httpOptions = () => ({ baseUrl: started.providers.origin });
  const sdk = () => new GoogleGenAI({ apiKey: "key-of-the-person", httpOptions: httpOptions() });
  const converse = async (
    model: string,
    options: ToolsetOptions,
    ask: (request: GenerateContentParameters) => Promise<unknown>,
    config: GenerateContentParameters["config"] = {},
  ) => {
    const { tools } = await geminiTools(started.client, options);
    return ask({ model, contents: QUESTION, config: { ...config, tools } });
  };
  const stream = async (request: GenerateContentParameters, heed: () => void) => {
    for await (const _ of await sdk().models.generateContentStream(request)) {
      heed();
    }
  };
  return {
    plain: (model, options, { timeout } = {}) =>
      converse(
        model,
        options,
        (request) => sdk().models.generateContent(request),
        timeout === undefined ? {} : { httpOptions: { timeout } },
      ),
    streamed: (model, options) => converse(model, options, (request) => stream(request, () => {})),
    stopped: (model, options) => {
      const { signal, abort } = aborting();
      const ask = (request: GenerateContentParameters) => stream(request, abort);
      return converse(model, options, ask, { abortSignal: signal });
    },
    answer: async (options, ids, signal) => {
      const { answer } = await geminiTools(started.client, options);
      const parts = ids.map((id) => ({ functionCall: { id, name: "read_file", args: PART } }));
      return answer({ parts }, { signal });
    },
    args: PART,
  };
})();

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
        await assert.rejects(provider[way](model, { onCall }, settings), (thrown) => {
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
