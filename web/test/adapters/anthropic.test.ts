import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { type AnthropicTools, anthropicTools } from "../../src/adapters/anthropic.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import {
  CallLog,
  CONCLUSION,
  EXPLORATION,
  heard,
  INTRODUCTION,
  QUESTION,
  startForAllTests,
} from "../providers/exploration.ts";

type Message = Anthropic.MessageParam;
type Ask = (body: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>;

const started = startForAllTests();

function sdk(): Anthropic {
  const baseURL = started.providers.origin;
  return new Anthropic({ baseURL, apiKey: "sk-of-the-person", maxRetries: 0 });
}

const plain: Ask = (body) => sdk().messages.create(body);
const streamed: Ask = (body) => sdk().messages.stream(body).finalMessage();

/** Asks, and answers calls until the model makes no more; returns all messages. */
async function converse(ask: Ask, model: string, { tools, answer }: AnthropicTools) {
  const messages: Message[] = [{ role: "user", content: QUESTION }];
  for (;;) {
    const { content } = await ask({ model, max_tokens: 100, messages, tools });
    messages.push({ role: "assistant", content });
    const results = await answer({ content });
    if (results.length === 0) {
      return messages;
    }
    messages.push({ role: "user", content: results });
  }
}

function tools(options: ToolsetOptions = {}) {
  return anthropicTools(started.client, options);
}

function says(text: string) {
  return { type: "text", text, citations: null };
}

function asks(id: string, name: string, input: unknown) {
  return { type: "tool_use", id, name, input };
}

function told(tool_use_id: string, content: string, is_error = false) {
  return { type: "tool_result", tool_use_id, content, is_error };
}

function assistant(...content: object[]) {
  return { role: "assistant", content };
}

function user(...content: object[]) {
  return { role: "user", content };
}

const ASKED = { role: "user", content: QUESTION };

const EXPLORED = [
  ASKED,
  ...EXPLORATION.flatMap(({ name, args, text, isError }, index) => {
    const id = `call_${index + 1}_1`;
    const introduction = index === 0 ? [says(INTRODUCTION)] : [];
    return [assistant(...introduction, asks(id, name, args)), user(told(id, text, isError))];
  }),
  assistant(says(CONCLUSION)),
];

/** The events that the host gets. */
const HEARD = EXPLORATION.map(({ name, args, text, isError }, index) =>
  heard(name, `call_${index + 1}_1`, args, text, { isError, truncated: index < 3 }),
);

describe("a whole conversation", () => {
  for (const [way, ask] of Object.entries({ plain, streamed })) {
    test(`that is ${way} reads the next page, gets an error and quotes the file`, async () => {
      const log = new CallLog();
      const messages = await converse(ask, "explorer", await tools({ onCall: log.onCall }));
      assert.deepEqual(messages, EXPLORED);
      assert.deepEqual(log.calls, HEARD);
      const recorded = started.providers.takeRecorded();
      assert.deepEqual(
        recorded.map(({ path, headers, refusal }) => [path, headers.authorization, refusal]),
        Array.from({ length: EXPLORATION.length + 1 }, () => [
          "/v1/messages",
          "Bearer sk-of-the-person",
          null,
        ]),
      );
    });
  }

  for (const stream of [false, true]) {
    test(`that the client library runs by itself, ${stream ? "streamed" : "plain"}, has the same calls`, async () => {
      const log = new CallLog();
      const { runnable } = await tools({ onCall: log.onCall });
      const runner = sdk().beta.messages.toolRunner({
        model: "explorer",
        max_tokens: 100,
        messages: [{ role: "user", content: QUESTION }],
        tools: runnable,
        stream,
      });
      const { content } = await runner.runUntilDone();
      assert.deepEqual(content, [says(CONCLUSION)]);
      assert.deepEqual(log.calls, HEARD);
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
        Array.from({ length: EXPLORATION.length + 1 }, () => null),
      );
    });
  }
});

describe("a model that errs", () => {
  const MISSING =
    'failed to parse function arguments: `dir_path` is missing; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';

  test("in the JSON of its arguments learns so, although the library empties them", async () => {
    const log = new CallLog();
    const { onCall } = log;
    const messages = await converse(streamed, "malformed-arguments", await tools({ onCall }));
    assert.deepEqual(messages.slice(0, 3), [
      ASKED,
      assistant(asks("call_1_1", "list_dir", {})),
      user(told("call_1_1", MISSING, true)),
    ]);
    assert.deepEqual(messages.at(-1), assistant(says("I was told: Absolute path: /repo")));
    assert.deepEqual(log.calls[0], heard("list_dir", "call_1_1", {}, MISSING, { isError: true }));
  });

  test("in a tool's name is told the names of the tools", async () => {
    const log = new CallLog();
    const messages = await converse(plain, "unknown-tool", await tools({ onCall: log.onCall }));
    const text =
      'There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.';
    assert.deepEqual(messages, [
      ASKED,
      assistant(asks("call_1_1", "delete_everything", {})),
      user(told("call_1_1", text, true)),
      assistant(says(`I was told: ${text}`)),
    ]);
    assert.deepEqual(log.calls, [
      heard("delete_everything", "call_1_1", {}, text, {
        tool: null,
        outcome: "unknown",
        isError: true,
      }),
    ]);
  });

  test("in the types of its arguments is told the right types", async () => {
    const messages = await converse(streamed, "wrong-types", await tools());
    const text =
      'failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must be a whole number between 0 and 18446744073709551615, without a decimal point, not "two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
    assert.deepEqual(messages, [
      ASKED,
      assistant(asks("call_1_1", "list_dir", { dir_path: 7, depth: "two" })),
      user(told("call_1_1", text, true)),
      assistant(says(`I was told: ${text}`)),
    ]);
  });

  test("and gives two calls the same id is answered twice, in their order", async () => {
    const messages = await converse(plain, "duplicate-ids", await tools());
    const entries = Array.from({ length: 10 }, (_, index) => `part-${index}.txt`);
    const listed = ["Absolute path: /repo", "README.md", ...entries, "src/"].join("\n");
    assert.deepEqual(messages.slice(2), [
      user(
        told("call_same", listed),
        told("call_same", "L1: # Sample\nL2: \nL3: A tree for agents."),
      ),
      assistant(says("I was told: L1: # Sample")),
    ]);
  });

  test("and makes ten calls at once is answered in their order", async () => {
    const messages = await converse(streamed, "ten-in-parallel", await tools());
    const results = Array.from({ length: 10 }, (_, index) =>
      told(`call_1_${index + 1}`, `L1: This is part ${index}.`),
    );
    assert.deepEqual(messages.slice(2), [
      user(...results),
      assistant(says("I was told: L1: This is part 9.")),
    ]);
  });
});
