import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  type InvalidToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { langChainTools, type TreeglassTool } from "../../src/adapters/langchain.ts";
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

const started = startForAllTests();

function modelNamed(model: string): ChatOpenAI {
  return new ChatOpenAI({
    model,
    apiKey: "sk-of-the-person",
    maxRetries: 0,
    configuration: { baseURL: `${started.providers.origin}/v1` },
  });
}

function tools(options: ToolsetOptions = {}): Promise<TreeglassTool[]> {
  return langChainTools(started.client, options);
}

/** A message in short, for comparing conversations. */
type Said =
  | {
      asks: readonly (readonly [id: string | undefined, name: string, args: unknown])[];
      text: string;
    }
  | { told: string; id: string; name: string | undefined; status: string | undefined };

/** Asks once. */
type Ask = (
  model: ReturnType<ChatOpenAI["bindTools"]>,
  messages: BaseMessage[],
  config: { signal?: AbortSignal },
) => Promise<AIMessage>;

const whole: Ask = (model, messages, config) => model.invoke(messages, config);

const streamed: Ask = async (model, messages, config) => {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await model.stream(messages, config)) {
    chunks.push(chunk);
  }
  const [first, ...rest] = chunks;
  assert.ok(first);
  return rest.reduce((message, chunk) => message.concat(chunk), first);
};

/** Asks, and runs calls until the model makes no more; returns all messages after the question. */
async function converse(
  ask: Ask,
  model: string,
  given: readonly TreeglassTool[],
  signal?: AbortSignal,
): Promise<Said[]> {
  const config = signal === undefined ? {} : { signal };
  const bound = modelNamed(model).bindTools([...given]);
  const messages: BaseMessage[] = [new HumanMessage(QUESTION)];
  const said: Said[] = [];
  for (;;) {
    const message = await ask(bound, messages, config);
    const calls = callsOf(message);
    messages.push(message);
    said.push({
      asks: calls.map(({ id, name = "", args }) => [id, name, args]),
      text: message.text,
    });
    if (calls.length === 0) {
      return said;
    }
    const answers = await Promise.all(calls.map((call) => answer(given, call, config)));
    messages.push(...answers);
    said.push(...answers.map(saidBy));
  }
}

function callsOf({ tool_calls = [], invalid_tool_calls = [] }: AIMessage) {
  return [...tool_calls, ...invalid_tool_calls];
}

async function answer(
  given: readonly TreeglassTool[],
  call: ToolCall | InvalidToolCall,
  config: { signal?: AbortSignal },
): Promise<ToolMessage> {
  const tool = given.find(({ name }) => name === call.name);
  // LangChain's agents answer an unknown tool like this: they have nothing to invoke.
  return tool === undefined
    ? new ToolMessage({ content: "no such tool", status: "error", tool_call_id: call.id ?? "" })
    : tool.invoke(call, config);
}

function saidBy({ text, tool_call_id, name, status }: ToolMessage): Said {
  return { told: text, id: tool_call_id, name, status };
}

function asks(...calls: readonly (readonly [id: string, name: string, args: unknown])[]): Said {
  return { asks: calls, text: "" };
}

function told(id: string, name: string, text: string, status = "success"): Said {
  return { told: text, id, name, status };
}

function says(text: string): Said {
  return { asks: [], text };
}

const LISTED = [
  "Absolute path: /repo",
  "README.md",
  ...Array.from({ length: 10 }, (_, index) => `part-${index}.txt`),
  "src/",
];

for (const [way, ask] of Object.entries({ whole, streamed })) {
  describe(`a conversation that is ${way}`, () => {
    test("reads the next page, gets an error and quotes the file", async () => {
      const log = new CallLog();
      started.providers.takeRecorded();
      const said = await converse(ask, "explorer", await tools({ onCall: log.onCall }));
      assert.deepEqual(said, [
        ...EXPLORATION.flatMap(({ name, args, text, isError }, index) => {
          const id = `call_${index + 1}_1`;
          return [
            { ...asks([id, name, args]), text: index === 0 ? INTRODUCTION : "" },
            told(id, name, text, isError ? "error" : "success"),
          ];
        }),
        says(CONCLUSION),
      ]);
      assert.deepEqual(
        log.calls,
        EXPLORATION.map((step, index) =>
          heard(step.name, `call_${index + 1}_1`, step.args, step.text, {
            isError: step.isError,
            truncated: index < 3,
          }),
        ),
      );
      assert.deepEqual(
        started.providers.takeRecorded().map(({ path, refusal }) => [path, refusal]),
        Array.from({ length: 7 }, () => ["/v1/chat/completions", null]),
      );
    });

    test("tells a model that sends wrong types the right ones", async () => {
      const said = await converse(ask, "wrong-types", await tools());
      const text =
        "failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must " +
        "be a whole number between 0 and 18446744073709551615, without a decimal point, not " +
        '"two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
      assert.deepEqual(said, [
        asks(["call_1_1", "list_dir", { dir_path: 7, depth: "two" }]),
        told("call_1_1", "list_dir", text, "error"),
        says(`I was told: ${text}`),
      ]);
    });

    test("goes on after a call of an unknown tool", async () => {
      const log = new CallLog();
      const said = await converse(ask, "unknown-tool", await tools({ onCall: log.onCall }));
      assert.deepEqual(said, [
        asks(["call_1_1", "delete_everything", {}]),
        { told: "no such tool", id: "call_1_1", name: undefined, status: "error" },
        says("I was told: no such tool"),
      ]);
      assert.deepEqual(log.calls, []);
    });

    test("answers each of two calls with the same id", async () => {
      assert.deepEqual(await converse(ask, "duplicate-ids", await tools()), [
        asks(
          ["call_same", "list_dir", { dir_path: "/repo", depth: 1 }],
          ["call_same", "read_file", { file_path: "/repo/README.md" }],
        ),
        told("call_same", "list_dir", LISTED.join("\n")),
        told("call_same", "read_file", "L1: # Sample\nL2: \nL3: A tree for agents."),
        says("I was told: L1: # Sample"),
      ]);
    });

    test("answers ten calls at once", async () => {
      const said = await converse(ask, "ten-in-parallel", await tools());
      const paths = Array.from({ length: 10 }, (_, index) => `/repo/part-${index}.txt`);
      assert.deepEqual(said, [
        asks(
          ...paths.map((file_path, index) => {
            return [`call_1_${index + 1}`, "read_file", { file_path }] as const;
          }),
        ),
        ...paths.map((_, index) =>
          told(`call_1_${index + 1}`, "read_file", `L1: This is part ${index}.`),
        ),
        says("I was told: L1: This is part 9."),
      ]);
    });

    for (const [model, message] of [
      ["status-401", /^401 The key is not valid\./],
      ["status-429", /^429 The rate limit is reached\./],
      ["status-500", /^500 The provider failed\./],
    ] as const) {
      test(`ends with the provider's message and without a call: ${model}`, async () => {
        const log = new CallLog();
        const given = await tools({ onCall: log.onCall });
        await assert.rejects(converse(ask, model, given), { message });
        assert.deepEqual(log.calls, []);
      });
    }

    test("ends where the provider drops it, and without a call", async () => {
      const log = new CallLog();
      const given = await tools({ onCall: log.onCall });
      await assert.rejects(converse(ask, "drops-stream", given));
      assert.deepEqual(log.calls, []);
    });

    test("stops with its call while a person is asked", async () => {
      const controller = new AbortController();
      const log = new CallLog();
      const approve = () => {
        controller.abort(new Error("The person pressed stop."));
        return new Promise<never>(() => undefined);
      };
      const given = await tools({ onCall: log.onCall, approve });
      await assert.rejects(converse(ask, "explorer", given, controller.signal), {
        message: "The person pressed stop.",
      });
      const [{ args } = { args: null }] = EXPLORATION;
      assert.deepEqual(log.calls, [
        heard("list_dir", "call_1_1", args, "", { outcome: "aborted", isError: true }),
      ]);
    });
  });
}

describe("a model whose arguments break off", () => {
  const corrected = [
    asks(["call_2_1", "list_dir", { dir_path: "/repo" }]),
    told("call_2_1", "list_dir", [...LISTED, "  main.py"].join("\n")),
    says("I was told: Absolute path: /repo"),
  ];

  test("is told so and goes on", async () => {
    assert.deepEqual(await converse(whole, "malformed-arguments", await tools()), [
      asks(["call_1_1", "list_dir", '{"dir_path": "/re']),
      told(
        "call_1_1",
        "list_dir",
        "failed to parse function arguments: the arguments are not valid JSON: " +
          "Unterminated string starting at: line 1 column 14 (char 13)",
        "error",
      ),
      ...corrected,
    ]);
  });

  test("gets the answer to the part of a stream that LangChain keeps, and goes on", async () => {
    assert.deepEqual(await converse(streamed, "malformed-arguments", await tools()), [
      asks(["call_1_1", "list_dir", { dir_path: "/re" }]),
      told(
        "call_1_1",
        "list_dir",
        "failed to read directory: No such file or directory (os error 2)",
        "error",
      ),
      ...corrected,
    ]);
  });
});

describe("a tool of LangChain", () => {
  test("is named and described as the host asked", async () => {
    const given: StructuredToolInterface[] = await tools({ prefix: "repo_", allow: ["list_dir"] });
    const listed = await started.client.listTools();
    const own = listed.find(({ name }) => name === "list_dir");
    assert.ok(own);
    assert.deepEqual(
      given.map(({ name, description, schema }) => [name, description, schema]),
      [["repo_list_dir", own.description, own.inputSchema]],
    );
  });

  test("that is invoked with arguments alone answers without an id", async () => {
    const [tool] = await tools({ allow: ["read_file"] });
    assert.ok(tool);
    const { text, artifact, ...message } = await tool.invoke({ file_path: "/repo/part-3.txt" });
    assert.deepEqual(
      [text, message.tool_call_id, message.status],
      ["L1: This is part 3.", "", "success"],
    );
    assert.deepEqual(
      { ...artifact, elapsedMs: 0 },
      {
        content: "L1: This is part 3.",
        structured: null,
        isError: false,
        error: null,
        truncated: false,
        nextArguments: null,
        warnings: [],
        elapsedMs: 0,
      },
    );
  });

  test("treats null as an absent argument", async () => {
    const [tool] = await tools({ allow: ["LS"] });
    assert.ok(tool);
    const args = { path: "/repo/src", ignore: null, limit: null };
    const { status } = await tool.invoke({ type: "tool_call", id: "c1", name: "LS", args });
    assert.equal(status, "success");
  });

  test("notifies LangChain's own listeners at its start and its end", async () => {
    const [tool] = await tools({ allow: ["read_file"] });
    assert.ok(tool);
    const heardOf: unknown[] = [];
    const callbacks = [
      {
        handleToolStart: (_tool: unknown, input: string) => heardOf.push(["start", input]),
        handleToolEnd: (output: unknown) =>
          heardOf.push(["end", output instanceof ToolMessage && output.text]),
      },
    ];
    const args = { file_path: "/repo/part-3.txt" };
    await tool.invoke({ type: "tool_call", id: "c1", name: "read_file", args }, { callbacks });
    assert.deepEqual(heardOf, [
      ["start", JSON.stringify(args)],
      ["end", "L1: This is part 3."],
    ]);
  });
});
