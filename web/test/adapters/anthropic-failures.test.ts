import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "../../src/adapters/anthropic.ts";
import { CallLog, heard, QUESTION, startForAllTests } from "../providers/exploration.ts";

type Ask = (body: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>;

const started = startForAllTests();

function sdk(options: { maxRetries?: number; timeout?: number } = {}): Anthropic {
  const baseURL = started.providers.origin;
  return new Anthropic({ baseURL, apiKey: "sk-of-the-person", maxRetries: 0, ...options });
}

const plain: Ask = (body) => sdk().messages.create(body);
const streamed: Ask = (body) => sdk().messages.stream(body).finalMessage();

describe("a provider that fails calls no tool", () => {
  /** Sends one question; returns the library's result, its number of requests, and the calls. */
  async function outcomeOf(model: string, ask: Ask) {
    const log = new CallLog();
    let thrown: unknown = null;
    try {
      const { tools, answer } = await anthropicTools(started.client, { onCall: log.onCall });
      const messages = [{ role: "user" as const, content: QUESTION }];
      await answer(await ask({ model, max_tokens: 100, messages, tools }));
    } catch (error) {
      thrown = error;
    }
    assert.ok(thrown instanceof Error);
    const asked = started.providers.takeRecorded().length;
    return [thrown.constructor.name, thrown.message, asked, log.calls];
  }

  const body = (type: string, message: string) =>
    JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });

  test("with 401", async () => {
    started.providers.takeRecorded();
    assert.deepEqual(await outcomeOf("status-401", plain), [
      "AuthenticationError",
      `401 ${body("authentication_error", "The key is not valid.")}`,
      1,
      [],
    ]);
  });

  test("with 429, after as many retries as the library is allowed", async () => {
    const again: Ask = (request) => sdk({ maxRetries: 2 }).messages.create(request);
    assert.deepEqual(await outcomeOf("status-429", again), [
      "RateLimitError",
      `429 ${body("rate_limit_error", "The rate limit is reached.")}`,
      3,
      [],
    ]);
  });

  test("with 500", async () => {
    assert.deepEqual(await outcomeOf("status-500", streamed), [
      "InternalServerError",
      `500 ${body("api_error", "The provider failed.")}`,
      1,
      [],
    ]);
  });

  test("by never answering", async () => {
    const impatient: Ask = (request) => sdk({ timeout: 500 }).messages.create(request);
    assert.deepEqual(await outcomeOf("hangs", impatient), [
      "APIConnectionTimeoutError",
      "Request timed out.",
      1,
      [],
    ]);
  });

  test("by dropping a stream in the middle of a call's arguments", async () => {
    assert.deepEqual(await outcomeOf("drops-stream", streamed), [
      "AnthropicError",
      "terminated",
      1,
      [],
    ]);
  });

  test("when the person stops in the middle of a stream", async () => {
    const stopped: Ask = (request) => {
      const stream = sdk().messages.stream(request);
      stream.on("text", () => stream.abort());
      return stream.finalMessage();
    };
    assert.deepEqual(await outcomeOf("stalls-stream", stopped), [
      "APIUserAbortError",
      "Request was aborted.",
      1,
      [],
    ]);
  });
});

test("stopped calls reject with the reason, and the host gets an event for each", async () => {
  const log = new CallLog();
  const controller = new AbortController();
  const reason = new Error("The person pressed stop.");
  const { answer } = await anthropicTools(started.client, {
    onCall: (event) => {
      log.onCall(event);
      controller.abort(reason);
    },
  });
  const input = { file_path: "/repo/part-0.txt" };
  const content = ["toolu_1", "toolu_2"].map((id) => ({
    type: "tool_use",
    id,
    name: "read_file",
    input,
  }));
  await assert.rejects(answer({ content }, { signal: controller.signal }), reason);
  await log.reached(2);
  assert.deepEqual(log.calls, [
    heard("read_file", "toolu_1", input, "L1: This is part 0."),
    heard("read_file", "toolu_2", input, "", { outcome: "aborted", isError: true }),
  ]);
});

describe("the provider refuses, and says why,", () => {
  const use = { type: "tool_use" as const, id: "toolu_1", name: "list_dir", input: {} };
  const result = { type: "tool_result" as const, tool_use_id: "toolu_1", content: "a.txt" };
  const asked = { role: "user" as const, content: QUESTION };
  const tool = { name: "list_dir", input_schema: { type: "object" as const } };

  const cases: readonly [string, Partial<Anthropic.MessageCreateParamsNonStreaming>, string][] = [
    [
      "a call without a result",
      { messages: [asked, { role: "assistant", content: [use] }, asked] },
      "messages: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ],
    [
      "a result without a call",
      { messages: [asked, { role: "user", content: [result] }] },
      "messages: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    ],
    [
      "a result after other content",
      {
        messages: [
          asked,
          { role: "assistant", content: [use] },
          { role: "user", content: [{ type: "text", text: "Here it is:" }, result] },
        ],
      },
      "messages.2: `tool_result` blocks must come before all other content",
    ],
    [
      "an error without a text",
      {
        messages: [
          asked,
          { role: "assistant", content: [use] },
          { role: "user", content: [{ ...result, content: "", is_error: true }] },
        ],
      },
      "messages.2: content cannot be empty if `is_error` is true",
    ],
    [
      "a conversation that the model begins",
      { messages: [{ role: "assistant", content: "Hello." }] },
      "messages: first message must use the user role",
    ],
    [
      "an invalid name",
      { tools: [{ ...tool, name: "repo.list_dir" }] },
      'Invalid tool name "repo.list_dir": it must match ^[a-zA-Z0-9_-]{1,64}$.',
    ],
    [
      "two tools with the same name",
      { tools: [tool, tool] },
      'Tool names must be unique: "list_dir" is there twice.',
    ],
  ];
  for (const [what, changed, message] of cases) {
    test(what, async () => {
      const body = { model: "explorer", max_tokens: 100, messages: [asked], ...changed };
      await assert.rejects(plain(body), { status: 400, apiMessage: message });
      assert.deepEqual(
        started.providers.takeRecorded().map(({ refusal }) => refusal),
        [message],
      );
    });
  }
});
