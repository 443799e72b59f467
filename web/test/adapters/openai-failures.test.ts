import assert from "node:assert/strict";
import { describe, test } from "node:test";
import OpenAI from "openai";
import { openAiChatTools } from "../../src/adapters/openai.ts";
import { CallLog, heard, QUESTION, startForAllTests } from "../providers/exploration.ts";

const started = startForAllTests();

function sdk(options: { maxRetries?: number; timeout?: number } = {}): OpenAI {
  const baseURL = `${started.providers.origin}/v1`;
  return new OpenAI({ baseURL, apiKey: "sk-of-the-person", maxRetries: 0, ...options });
}

/** Sends one question; returns the library's result, its number of requests, and the calls. */
async function outcomeOf(
  model: string,
  ask: (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => Promise<OpenAI.ChatCompletion>,
) {
  const log = new CallLog();
  const { tools, answer } = await openAiChatTools(started.client, { onCall: log.onCall });
  let thrown: unknown = null;
  try {
    const completion = await ask({ model, messages: [{ role: "user", content: QUESTION }], tools });
    await answer(completion.choices[0]?.message ?? {});
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof Error);
  const asked = started.providers.takeRecorded().length;
  return { error: thrown.constructor.name, message: thrown.message, asked, calls: log.calls };
}

describe("a provider that fails calls no tool", () => {
  const plain = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) =>
    sdk().chat.completions.create(body);

  test("with 401", async () => {
    assert.deepEqual(await outcomeOf("status-401", plain), {
      error: "AuthenticationError",
      message: "401 The key is not valid.",
      asked: 1,
      calls: [],
    });
  });

  test("with 429, after as many retries as the library is allowed", async () => {
    const again = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) =>
      sdk({ maxRetries: 2 }).chat.completions.create(body);
    assert.deepEqual(await outcomeOf("status-429", again), {
      error: "RateLimitError",
      message: "429 The rate limit is reached.",
      asked: 3,
      calls: [],
    });
  });

  test("with 500", async () => {
    assert.deepEqual(await outcomeOf("status-500", plain), {
      error: "InternalServerError",
      message: "500 The provider failed.",
      asked: 1,
      calls: [],
    });
  });

  test("by never answering", async () => {
    const impatient = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) =>
      sdk({ timeout: 500 }).chat.completions.create(body);
    assert.deepEqual(await outcomeOf("hangs", impatient), {
      error: "APIConnectionTimeoutError",
      message: "Request timed out.",
      asked: 1,
      calls: [],
    });
  });

  test("by dropping a stream in the middle of a call's arguments", async () => {
    const streamed = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) =>
      sdk()
        .chat.completions.stream({ ...body, stream: true })
        .finalChatCompletion();
    assert.deepEqual(await outcomeOf("drops-stream", streamed), {
      error: "OpenAIError",
      message: "terminated",
      asked: 1,
      calls: [],
    });
  });
});

describe("a stopped conversation", () => {
  const reading = (index: number) => ({
    id: `call_${index}`,
    type: "function" as const,
    function: { name: "read_file", arguments: `{"file_path":"/repo/part-${index}.txt"}` },
  });

  test("in the middle of a stream calls no tool", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const stopped = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => {
      const stream = sdk().chat.completions.stream({ ...body, stream: true }, { signal });
      stream.on("chunk", () => controller.abort());
      return stream.finalChatCompletion();
    };
    assert.deepEqual(await outcomeOf("stalls-stream", stopped), {
      error: "APIUserAbortError",
      message: "Request was aborted.",
      asked: 1,
      calls: [],
    });
  });

  test("in the middle of ten calls rejects with the reason, and the host gets ten events", async () => {
    const log = new CallLog();
    const controller = new AbortController();
    const reason = new Error("The person pressed stop.");
    const { answer } = await openAiChatTools(started.client, {
      onCall: (event) => {
        log.onCall(event);
        controller.abort(reason);
      },
    });
    const tool_calls = Array.from({ length: 10 }, (_, index) => reading(index));
    const answers = answer({ tool_calls }, { signal: controller.signal });
    await assert.rejects(answers, reason);
    await log.reached(10);
    assert.deepEqual(
      log.calls,
      tool_calls.map(({ id, function: { arguments: args } }, index) =>
        index === 0
          ? heard("read_file", id, args, "L1: This is part 0.")
          : heard("read_file", id, args, "", { outcome: "aborted", isError: true }),
      ),
    );
  });

  test("before it began calls nothing", async () => {
    const log = new CallLog();
    const { answer } = await openAiChatTools(started.client, { onCall: log.onCall });
    const reason = new Error("The person pressed stop.");
    const answers = answer({ tool_calls: [reading(1)] }, { signal: AbortSignal.abort(reason) });
    await assert.rejects(answers, reason);
    assert.deepEqual(log.calls, [
      heard("read_file", "call_1", '{"file_path":"/repo/part-1.txt"}', "", {
        outcome: "aborted",
        isError: true,
      }),
    ]);
  });

  test("leaves the client able to answer the next call", async () => {
    const { answer } = await openAiChatTools(started.client);
    assert.deepEqual(await answer({ tool_calls: [reading(2)] }), [
      { role: "tool", tool_call_id: "call_2", content: "L1: This is part 2." },
    ]);
  });
});

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
