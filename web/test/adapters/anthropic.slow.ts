import assert from "node:assert/strict";
import { test } from "node:test";
import { anthropicTools } from "../../src/adapters/anthropic.ts";
import {
  CallLog,
  CONCLUSION,
  EXPLORATION,
  heard,
  QUESTION,
  startForAllTests,
} from "../providers/exploration.ts";
import { anthropicHost, anthropicLibrary } from "../providers/hosts.ts";

const started = startForAllTests();

for (const stream of [false, true]) {
  test(`a conversation that the client library runs, ${stream ? "streamed" : "plain"}, has the same calls`, async () => {
    started.providers.takeRecorded();
    const log = new CallLog();
    const { runnable } = await anthropicTools(started.client, { onCall: log.onCall });
    const runner = anthropicLibrary(started).beta.messages.toolRunner({
      model: "explorer",
      max_tokens: 100,
      messages: [{ role: "user", content: QUESTION }],
      tools: runnable,
      stream,
    });
    const { content } = await runner.runUntilDone();
    assert.deepEqual(content, [{ type: "text", text: CONCLUSION, citations: null }]);
    assert.deepEqual(
      log.calls,
      EXPLORATION.map(({ name, args, text, isError }, index) =>
        heard(name, `call_${index + 1}_1`, args, text, { isError, truncated: index < 3 }),
      ),
    );
    const results = runner.params.messages.flatMap(({ role, content: blocks }) =>
      role === "user" && Array.isArray(blocks) ? blocks : [],
    );
    assert.deepEqual(
      results,
      EXPLORATION.map(({ text, isError }, index) => ({
        type: "tool_result",
        tool_use_id: `call_${index + 1}_1`,
        content: isError ? `Error: ${text}` : text,
        ...(isError ? { is_error: true } : {}),
      })),
    );
    assert.deepEqual(
      started.providers.takeRecorded().map(({ refusal }) => refusal),
      [...EXPLORATION, null].map(() => null),
    );
  });
}

test("a model learns that its JSON was broken, although the library empties the arguments", async () => {
  const host = anthropicHost(started);
  const log = new CallLog();
  const messages = await host.streamed("malformed-arguments", { onCall: log.onCall });
  const called = ["call_1_1", { name: "list_dir", args: {} }] as const;
  const text =
    'failed to parse function arguments: `dir_path` is missing; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
  assert.deepEqual(messages.slice(0, 3), [
    ...host.asked,
    ...host.asks([called]),
    ...host.told([[...called, text, true]]),
  ]);
  assert.deepEqual(messages.at(-1), host.says("I was told: Absolute path: /repo"));
  assert.deepEqual(log.calls[0], heard("list_dir", "call_1_1", {}, text, { isError: true }));
});
