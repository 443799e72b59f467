import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type OpenAI from "openai";
import { openAiChatTools } from "../../src/adapters/openai.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import {
  CallLog,
  CONCLUSION,
  EXPLORATION,
  heard,
  QUESTION,
  startForAllTests,
} from "../providers/exploration.ts";
import { chatCalls, chatHost, openAiLibrary } from "../providers/hosts.ts";
import { PROJECT_LISTING } from "../support/real-client.ts";

const started = startForAllTests();

type Completed = Promise<OpenAI.ChatCompletion>;
type Ask = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => Completed;

/** Joins the events, as a host does that does not use the library's helper. */
const streamedRaw: Ask = async (body) => {
  const stream = await openAiLibrary(started).chat.completions.create({ ...body, stream: true });
  let whole: OpenAI.ChatCompletion | null = null;
  const tool_calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
  let content: string | null = null;
  for await (const { id, created, model, choices } of stream) {
    const [choice] = choices;
    content = choice?.delta.content ? (content ?? "") + choice.delta.content : content;
    for (const { index, id = "", function: called } of choice?.delta.tool_calls ?? []) {
      const { name = "", arguments: piece = "" } = called ?? {};
      const before = tool_calls[index];
      if (before === undefined) {
        tool_calls[index] = { id, type: "function", function: { name, arguments: piece } };
      } else {
        before.function.arguments += piece;
      }
    }
    const message = { role: "assistant" as const, content, refusal: null, tool_calls };
    const finish_reason = choice?.finish_reason ?? "stop";
    const last = { index: 0, finish_reason, logprobs: null, message };
    whole = { id, created, model, object: "chat.completion", choices: [last] };
  }
  assert.ok(whole);
  return whole;
};

const plain: Ask = (body) => openAiLibrary(started).chat.completions.create(body);

const tools = (options: ToolsetOptions = {}) => openAiChatTools(started.client, options);
const told = (tool_call_id: string, content: string) => ({ role: "tool", tool_call_id, content });

/** The next offsets that the first pages name; the first request has no offset. */
const NEXT = [
  '{"dir_path":"/repo","limit":3,"depth":1,"offset":4}',
  '{"dir_path":"/repo","offset":7,"limit":3,"depth":1}',
  '{"dir_path":"/repo","offset":10,"limit":3,"depth":1}',
];

describe("a whole conversation", () => {
  for (const stream of [false, true]) {
    test(`that the client library runs, ${stream ? "streamed" : "plain"}, ends in the same words`, async () => {
      const log = new CallLog();
      const { runnable } = await tools({ onCall: log.onCall });
      const messages = [{ role: "user" as const, content: QUESTION }];
      const asked = { model: "explorer", messages, tools: runnable };
      const { completions } = openAiLibrary(started).chat;
      const runner = stream
        ? completions.runTools({ ...asked, stream: true })
        : completions.runTools(asked);
      assert.equal(await runner.finalContent(), CONCLUSION);
      assert.deepEqual(
        log.calls.map(({ callId, text }) => [callId, text]),
        EXPLORATION.map(({ text }) => [null, text]),
      );
    });
  }

  test("ends where a server sends an empty list of calls with its plain answer", async () => {
    const { by, asked, says } = chatHost(started);
    const listed: unknown[] = [];
    const converse = by(async (body) => {
      const completion = await plain(body);
      listed.push(completion.choices[0]?.message.tool_calls);
      return completion;
    });
    assert.deepEqual(await converse("answers-at-once"), [
      ...asked,
      says("There is nothing to look up."),
    ]);
    assert.deepEqual(listed, [[]]);
  });

  test("that the page guides makes the next call that each page names", async () => {
    const host = chatHost(started);
    const messages = await host.plain("explorer", { guide: true });
    const answers = EXPLORATION.map(({ text }, index) =>
      index < 3
        ? `${text}\n[More: call list_dir with ${NEXT[index]}; to find one place, call grep_files]`
        : text,
    );
    assert.deepEqual(
      messages.filter((_, index) => index % 2 === 0 && index > 0),
      answers.map((text, index) => told(`call_${index + 1}_1`, text)),
    );
    assert.deepEqual(messages.at(-1), host.says(CONCLUSION));
  });
});

describe("a model that errs", () => {
  const BROKEN =
    "failed to parse function arguments: the arguments are not valid JSON: Unterminated string starting at: line 1 column 14 (char 13)";
  const LISTED = [...PROJECT_LISTING, "  main.py"].join("\n");

  for (const [way, ask] of Object.entries({ plain, streamed: streamedRaw })) {
    test(`in the JSON of its arguments is told so, ${way}, and tries again`, async () => {
      const host = chatHost(started);
      const log = new CallLog();
      const again = { name: "list_dir", args: { dir_path: "/repo" } };
      assert.deepEqual(await host.by(ask)("malformed-arguments", { onCall: log.onCall }), [
        ...host.asked,
        chatCalls([["call_1_1", "list_dir", '{"dir_path": "/re']]),
        told("call_1_1", BROKEN),
        ...host.asks([["call_2_1", again]]),
        told("call_2_1", LISTED),
        host.says("I was told: Absolute path: /repo"),
      ]);
      assert.deepEqual(log.calls, [
        heard("list_dir", "call_1_1", '{"dir_path": "/re', BROKEN, { isError: true }),
        heard("list_dir", "call_2_1", host.sent(again), LISTED),
      ]);
    });
  }

  test("in the JSON of its arguments is stopped by the library's own helper for streams", async () => {
    const log = new CallLog();
    const { streamed } = chatHost(started);
    await assert.rejects(streamed("malformed-arguments", { onCall: log.onCall }), {
      name: "Error",
      message: "Error reading response: invalid structured output JSON.",
    });
    assert.deepEqual(log.calls, []);
  });

  test("and calls a tool of another kind is told that it is unknown", async () => {
    const { answer } = await tools({ allow: ["list_dir"] });
    const custom = { id: "call_1", type: "custom" as const, custom: { name: "sh", input: "ls" } };
    assert.deepEqual(await answer({ tool_calls: [custom] }), [
      told("call_1", 'There is no tool ""; the tools are: list_dir.'),
    ]);
  });
});
