import assert from "node:assert/strict";
import { describe, test } from "node:test";
import OpenAI from "openai";
import { type OpenAiChatTools, openAiChatTools } from "../../src/adapters/openai.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import {
  CallLog,
  CONCLUSION,
  EXPLORATION,
  heard,
  INTRODUCTION,
  QUESTION,
  startForAllTests,
  strictly,
} from "../providers/exploration.ts";

type Message = OpenAI.ChatCompletionMessageParam;

const started = startForAllTests();

function sdk(options: { maxRetries?: number; timeout?: number } = {}): OpenAI {
  const baseURL = `${started.providers.origin}/v1`;
  return new OpenAI({ baseURL, apiKey: "sk-of-the-person", maxRetries: 0, ...options });
}

type Ask = (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => Promise<OpenAI.ChatCompletion>;

const plain: Ask = (body) => sdk().chat.completions.create(body);
const streamed: Ask = (body) =>
  sdk()
    .chat.completions.stream({ ...body, stream: true })
    .finalChatCompletion();

/** Joins the events, as a host does that does not use the library's helper. */
const streamedRaw: Ask = async (body) => {
  const stream = await sdk().chat.completions.create({ ...body, stream: true });
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

/** Asks, and answers calls until the model makes no more; returns all messages. */
async function converse(ask: Ask, model: string, { tools, answer }: OpenAiChatTools) {
  const messages: Message[] = [{ role: "user", content: QUESTION }];
  for (;;) {
    const completion = await ask({ model, messages, tools });
    const message = completion.choices[0]?.message;
    assert.ok(message);
    messages.push(sendable(message));
    const answers = await answer(message);
    if (answers.length === 0) {
      return messages;
    }
    messages.push(...answers);
  }
}

/** Leaves out the members that the library's helpers add, such as parsed arguments. */
function sendable({ content, tool_calls = [] }: OpenAI.ChatCompletionMessage): Message {
  const calls = tool_calls.flatMap((call) =>
    call.type === "function"
      ? [[call.id, call.function.name, call.function.arguments] as const]
      : [],
  );
  return calls.length === 0 ? { role: "assistant", content } : { ...asks(calls), content };
}

function tools(options: ToolsetOptions = {}) {
  return openAiChatTools(started.client, options);
}

function asks(calls: readonly (readonly [id: string, name: string, text: string])[]) {
  const tool_calls = calls.map(([id, name, text]) => ({
    id,
    type: "function" as const,
    function: { name, arguments: text },
  }));
  return { role: "assistant" as const, content: null, tool_calls };
}

function told(tool_call_id: string, content: string): Message {
  return { role: "tool", tool_call_id, content };
}

function says(content: string): Message {
  return { role: "assistant", content };
}

const ASKED: Message = { role: "user", content: QUESTION };

const EXPLORED: readonly Message[] = [
  ASKED,
  ...EXPLORATION.flatMap((step, index) => {
    const id = `call_${index + 1}_1`;
    const asking = asks([[id, step.name, JSON.stringify(strictly(step))]]);
    const content = index === 0 ? INTRODUCTION : null;
    return [{ ...asking, content }, told(id, step.text)];
  }),
  says(CONCLUSION),
];

/** The next offsets that the first pages name; the first request has no offset. */
const NEXT = [
  '{"dir_path":"/repo","limit":3,"depth":1,"offset":4}',
  '{"dir_path":"/repo","offset":7,"limit":3,"depth":1}',
  '{"dir_path":"/repo","offset":10,"limit":3,"depth":1}',
];

describe("a whole conversation", () => {
  for (const [way, ask] of Object.entries({ plain, streamed })) {
    test(`that is ${way} reads the next page, gets an error and quotes the file`, async () => {
      const log = new CallLog();
      const messages = await converse(ask, "explorer", await tools({ onCall: log.onCall }));
      assert.deepEqual(messages, EXPLORED);
      assert.deepEqual(
        log.calls,
        EXPLORATION.map((step, index) =>
          heard(step.name, `call_${index + 1}_1`, JSON.stringify(strictly(step)), step.text, {
            isError: step.isError,
            truncated: index < 3,
          }),
        ),
      );
      const recorded = started.providers.takeRecorded();
      assert.deepEqual(
        recorded.map(({ path, headers, refusal }) => [path, headers.authorization, refusal]),
        EXPLORED.filter(({ role }) => role === "assistant").map(() => [
          "/v1/chat/completions",
          "Bearer sk-of-the-person",
          null,
        ]),
      );
    });
  }

  test("that the client library runs by itself ends in the same words", async () => {
    const log = new CallLog();
    const { runnable } = await tools({ onCall: log.onCall });
    const runner = sdk().chat.completions.runTools({
      model: "explorer",
      messages: [{ role: "user", content: QUESTION }],
      tools: runnable,
    });
    assert.equal(await runner.finalContent(), CONCLUSION);
    assert.deepEqual(
      log.calls.map(({ callId, text }) => [callId, text]),
      EXPLORATION.map(({ text }) => [null, text]),
    );
  });

  test("that the client library runs and streams ends in the same words", async () => {
    const { runnable } = await tools();
    const runner = sdk().chat.completions.runTools({
      model: "explorer",
      messages: [{ role: "user", content: QUESTION }],
      tools: runnable,
      stream: true,
    });
    assert.equal(await runner.finalContent(), CONCLUSION);
  });

  test("ends where a server sends an empty list of calls with its plain answer", async () => {
    const listed: unknown[] = [];
    const recording: Ask = async (body) => {
      const completion = await plain(body);
      listed.push(completion.choices[0]?.message.tool_calls);
      return completion;
    };
    const messages = await converse(recording, "answers-at-once", await tools());
    assert.deepEqual(messages, [ASKED, says("There is nothing to look up.")]);
    assert.deepEqual(listed, [[]]);
  });

  test("that the page guides makes the next call that each page names", async () => {
    const messages = await converse(plain, "explorer", await tools({ guide: true }));
    assert.deepEqual(
      messages.filter(({ role }) => role === "tool").map(({ content }) => content),
      EXPLORATION.map(({ text }, index) =>
        index < 3
          ? `${text}\n[More: call list_dir with ${NEXT[index]}; to find one place, call grep_files]`
          : text,
      ),
    );
    assert.deepEqual(messages.at(-1), says(CONCLUSION));
  });
});

describe("a model that errs", () => {
  const BROKEN =
    "failed to parse function arguments: the arguments are not valid JSON: Unterminated string starting at: line 1 column 14 (char 13)";
  const ROOT = [
    "Absolute path: /repo",
    "README.md",
    ...Array.from({ length: 10 }, (_, index) => `part-${index}.txt`),
    "src/",
  ];
  const LISTED = [...ROOT, "  main.py"].join("\n");
  const listing = JSON.stringify(strictly({ name: "list_dir", args: { dir_path: "/repo" } }));

  for (const [way, ask] of Object.entries({ plain, streamed: streamedRaw })) {
    test(`in the JSON of its arguments is told so, ${way}, and tries again`, async () => {
      const log = new CallLog();
      const messages = await converse(
        ask,
        "malformed-arguments",
        await tools({ onCall: log.onCall }),
      );
      assert.deepEqual(messages, [
        ASKED,
        asks([["call_1_1", "list_dir", '{"dir_path": "/re']]),
        told("call_1_1", BROKEN),
        asks([["call_2_1", "list_dir", listing]]),
        told("call_2_1", LISTED),
        says("I was told: Absolute path: /repo"),
      ]);
      assert.deepEqual(log.calls, [
        heard("list_dir", "call_1_1", '{"dir_path": "/re', BROKEN, { isError: true }),
        heard("list_dir", "call_2_1", listing, LISTED),
      ]);
    });
  }

  test("in the JSON of its arguments is stopped by the library's own helper for streams", async () => {
    const log = new CallLog();
    const conversation = converse(
      streamed,
      "malformed-arguments",
      await tools({ onCall: log.onCall }),
    );
    await assert.rejects(conversation, {
      name: "Error",
      message: "Error reading response: invalid structured output JSON.",
    });
    assert.deepEqual(log.calls, []);
  });

  test("in a tool's name is told the names of the tools", async () => {
    const log = new CallLog();
    const messages = await converse(plain, "unknown-tool", await tools({ onCall: log.onCall }));
    const text =
      'There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.';
    assert.deepEqual(messages, [
      ASKED,
      asks([["call_1_1", "delete_everything", "{}"]]),
      told("call_1_1", text),
      says(`I was told: ${text}`),
    ]);
    assert.deepEqual(log.calls, [
      heard("delete_everything", "call_1_1", "{}", text, {
        tool: null,
        outcome: "unknown",
        isError: true,
      }),
    ]);
  });

  test("in the types of its arguments is told the right types", async () => {
    const log = new CallLog();
    const messages = await converse(plain, "wrong-types", await tools({ onCall: log.onCall }));
    const text =
      'failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must be a whole number between 0 and 18446744073709551615, without a decimal point, not "two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
    const args = '{"dir_path":7,"depth":"two","offset":null,"limit":null}';
    assert.deepEqual(messages, [
      ASKED,
      asks([["call_1_1", "list_dir", args]]),
      told("call_1_1", text),
      says(`I was told: ${text}`),
    ]);
    assert.deepEqual(log.calls, [heard("list_dir", "call_1_1", args, text, { isError: true })]);
  });

  test("and gives two calls the same id is answered twice, in their order", async () => {
    const messages = await converse(plain, "duplicate-ids", await tools());
    assert.deepEqual(messages.slice(2), [
      told("call_same", ROOT.join("\n")),
      told("call_same", "L1: # Sample\nL2: \nL3: A tree for agents."),
      says("I was told: L1: # Sample"),
    ]);
  });

  test("and makes ten calls at once is answered in their order", async () => {
    const log = new CallLog();
    const messages = await converse(
      streamed,
      "ten-in-parallel",
      await tools({ onCall: log.onCall }),
    );
    assert.deepEqual(messages.slice(2), [
      ...Array.from({ length: 10 }, (_, index) =>
        told(`call_1_${index + 1}`, `L1: This is part ${index}.`),
      ),
      says("I was told: L1: This is part 9."),
    ]);
    assert.deepEqual(
      log.calls.map(({ callId, outcome }) => [callId, outcome]),
      Array.from({ length: 10 }, (_, index) => [`call_1_${index + 1}`, "answered"]),
    );
  });

  test("and calls a tool of another kind is told that it is unknown", async () => {
    const { answer } = await tools({ allow: ["list_dir"] });
    const custom = { id: "call_1", type: "custom" as const, custom: { name: "sh", input: "ls" } };
    assert.deepEqual(await answer({ tool_calls: [custom] }), [
      told("call_1", 'There is no tool ""; the tools are: list_dir.'),
    ]);
  });
});
