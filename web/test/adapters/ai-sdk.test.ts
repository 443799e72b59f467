import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  convertToModelMessages,
  generateText,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  type UIMessage,
} from "ai";
import { aiSdkTools } from "../../src/adapters/ai-sdk.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { isRecord } from "../../src/lib/checks.ts";
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

function modelNamed(name: string) {
  const baseURL = `${started.providers.origin}/v1`;
  return createOpenAICompatible({ name: "loopback", baseURL, apiKey: "sk-of-the-person" })(name);
}

interface Conversed {
  readonly text: string;
  readonly messages: readonly ModelMessage[];
}

/** Runs the SDK's loop of requests and calls until the model makes no more calls. */
type Converse = (model: string, tools: ToolSet, signal?: AbortSignal) => Promise<Conversed>;

const setup = (model: string, tools: ToolSet, abortSignal?: AbortSignal) => ({
  model: modelNamed(model),
  tools,
  prompt: QUESTION,
  stopWhen: stepCountIs(10),
  maxRetries: 0,
  ...(abortSignal === undefined ? {} : { abortSignal }),
});

const generated: Converse = async (model, tools, signal) => {
  const { text, responseMessages } = await generateText(setup(model, tools, signal));
  return { text, messages: responseMessages };
};

const streamed: Converse = async (model, tools, signal) => {
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => {
    errors.push(error);
  };
  const result = streamText({ ...setup(model, tools, signal), onError });
  try {
    return { text: await result.text, messages: await result.responseMessages };
  } catch (error) {
    // Only the listener learns the cause from the SDK.
    throw errors[0] ?? error;
  }
};

const WAYS = { generated, streamed };

function tools(options: ToolsetOptions = {}): Promise<ToolSet> {
  return aiSdkTools(started.client, options);
}

type Called = readonly [toolCallId: string, toolName: string, input: unknown];

function asks(...calls: readonly Called[]) {
  return {
    role: "assistant" as const,
    content: calls.map(([toolCallId, toolName, input]) => ({
      type: "tool-call" as const,
      toolCallId,
      toolName,
      input,
    })),
  };
}

function told(...answers: readonly (readonly [...Called, isError?: boolean])[]) {
  return {
    role: "tool",
    content: answers.map(([toolCallId, toolName, value, isError = false]) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: isError ? "error-text" : "text", value },
    })),
  };
}

function says(text: string) {
  return { role: "assistant", content: [{ type: "text", text }] };
}

/** Leaves out members that are undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const EXPLORED = EXPLORATION.flatMap(({ name, args, text, isError }, index) => {
  const id = `call_${index + 1}_1`;
  const asking = asks([id, name, args]);
  const content = index === 0 ? [...says(INTRODUCTION).content, ...asking.content] : asking.content;
  return [{ ...asking, content }, told([id, name, text, isError])];
});

const LISTED = [
  "Absolute path: /repo",
  "README.md",
  ...Array.from({ length: 10 }, (_, index) => `part-${index}.txt`),
  "src/",
];

for (const [way, converse] of Object.entries(WAYS)) {
  describe(`a conversation that is ${way}`, () => {
    test("reads the next page, gets an error and quotes the file", async () => {
      const log = new CallLog();
      started.providers.takeRecorded();
      const { text, messages } = await converse("explorer", await tools({ onCall: log.onCall }));
      assert.equal(text, CONCLUSION);
      assert.deepEqual(plain(messages), [...EXPLORED, says(CONCLUSION)]);
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

    test("goes on after cut-off arguments, with the SDK's own message", async () => {
      const log = new CallLog();
      const { messages } = await converse(
        "malformed-arguments",
        await tools({ onCall: log.onCall }),
      );
      const broken =
        "AI_InvalidToolInputError: Invalid input for tool list_dir: AI_JSONParseError: " +
        'JSON parsing failed: Text: {"dir_path": "/re.\n' +
        "Error message: SyntaxError: Unterminated string in JSON at position 17";
      const listing = [...LISTED, "  main.py"].join("\n");
      assert.deepEqual(plain(messages), [
        asks(["call_1_1", "list_dir", {}]),
        told(["call_1_1", "list_dir", broken, true]),
        asks(["call_2_1", "list_dir", { dir_path: "/repo" }]),
        told(["call_2_1", "list_dir", listing]),
        says("I was told: Absolute path: /repo"),
      ]);
      assert.deepEqual(log.calls, [heard("list_dir", "call_2_1", { dir_path: "/repo" }, listing)]);
    });

    test("goes on after a call of an unknown tool", async () => {
      const log = new CallLog();
      const { messages } = await converse("unknown-tool", await tools({ onCall: log.onCall }));
      const text =
        "AI_NoSuchToolError: Model tried to call unavailable tool 'delete_everything'. " +
        "Available tools: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.";
      assert.deepEqual(plain(messages), [
        asks(["call_1_1", "delete_everything", {}]),
        told(["call_1_1", "delete_everything", text, true]),
        says(`I was told: ${text}`),
      ]);
      assert.deepEqual(log.calls, []);
    });

    test("tells a model that sends wrong types the right ones", async () => {
      const { messages } = await converse("wrong-types", await tools());
      const text =
        "failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must " +
        "be a whole number between 0 and 18446744073709551615, without a decimal point, not " +
        '"two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
      assert.deepEqual(plain(messages), [
        asks(["call_1_1", "list_dir", { dir_path: 7, depth: "two" }]),
        told(["call_1_1", "list_dir", text, true]),
        says(`I was told: ${text}`),
      ]);
    });

    test("answers each of two calls with the same id", async () => {
      const { messages } = await converse("duplicate-ids", await tools());
      // In a stream, the SDK replaces the second id.
      const answers = messages.flatMap(({ role, content }) =>
        role === "tool"
          ? content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
          : [],
      );
      assert.deepEqual(plain(answers), [
        { type: "text", value: LISTED.join("\n") },
        { type: "text", value: "L1: # Sample\nL2: \nL3: A tree for agents." },
      ]);
    });

    test("answers ten calls at once", async () => {
      const { messages } = await converse("ten-in-parallel", await tools());
      const ids = Array.from({ length: 10 }, (_, index) => `call_1_${index + 1}`);
      assert.deepEqual(plain(messages), [
        asks(
          ...ids.map(
            (id, index): Called => [id, "read_file", { file_path: `/repo/part-${index}.txt` }],
          ),
        ),
        told(...ids.map((id, index): Called => [id, "read_file", `L1: This is part ${index}.`])),
        says("I was told: L1: This is part 9."),
      ]);
    });

    for (const [model, statusCode, message] of [
      ["status-401", 401, "The key is not valid."],
      ["status-429", 429, "The rate limit is reached."],
      ["status-500", 500, "The provider failed."],
      ["drops-stream", 200, "Failed to process successful response"],
    ] as const) {
      test(`ends with the provider's message and without a call: ${model}`, async () => {
        const log = new CallLog();
        await assert.rejects(converse(model, await tools({ onCall: log.onCall })), {
          name: "AI_APICallError",
          statusCode,
          message,
        });
        assert.deepEqual(log.calls, []);
      });
    }

    test("stops with its call while a person is asked", async () => {
      const controller = new AbortController();
      const log = new CallLog();
      const approve = () => {
        controller.abort(new Error("The person pressed stop."));
        return new Promise<never>(() => undefined);
      };
      const stopped = await tools({ onCall: log.onCall, approve });
      await assert.rejects(converse("explorer", stopped, controller.signal));
      await log.reached(1);
      const [{ args } = { args: null }] = EXPLORATION;
      assert.deepEqual(log.calls, [
        heard("list_dir", "call_1_1", args, "", { outcome: "aborted", isError: true }),
      ]);
    });
  });
}

describe("the tools of the AI SDK", () => {
  test("are named and described as the host asked", async () => {
    const { repo_list_dir, ...others } = await tools({ prefix: "repo_", allow: ["list_dir"] });
    const listed = await started.client.listTools();
    const own = listed.find(({ name }) => name === "list_dir");
    assert.ok(repo_list_dir !== undefined && own !== undefined);
    assert.deepEqual(others, {});
    const { type, title, description, inputSchema } = repo_list_dir;
    assert.deepEqual([type, title, description], ["dynamic", "List directory", own.description]);
    assert.ok(isRecord(inputSchema));
    assert.deepEqual(await inputSchema.jsonSchema, own.inputSchema);
  });

  test("tell the model as an error that a person denied the call", async () => {
    const { messages } = await generated("ten-in-parallel", await tools({ approve: () => false }));
    const ids = Array.from({ length: 10 }, (_, index) => `call_1_${index + 1}`);
    assert.deepEqual(plain(messages.filter(({ role }) => role === "tool")), [
      told(
        ...ids.map((id, index): readonly [...Called, boolean] => [
          id,
          "read_file",
          `The call was not approved: Read file /repo/part-${index}.txt. ` +
            "Go on without it, or ask for something else.",
          true,
        ]),
      ),
    ]);
  });

  test("turn stored messages back into the text that the model was given", async () => {
    const given = await tools();
    const stored = (toolCallId: string, output: unknown) => ({
      type: "dynamic-tool" as const,
      toolName: "list_dir",
      toolCallId,
      state: "output-available" as const,
      input: { dir_path: "/repo" },
      output,
    });
    const message: UIMessage = {
      id: "m1",
      role: "assistant",
      parts: [
        stored("c1", { text: "Absolute path: /repo", isError: false, result: null }),
        stored("c2", { text: "no such directory", isError: true, result: null }),
        stored("c3", { by: "another tool of that name" }),
      ],
    };
    const messages = await convertToModelMessages([message], { tools: given });
    assert.deepEqual(plain(messages.filter(({ role }) => role === "tool")), [
      told(
        ["c1", "list_dir", "Absolute path: /repo"],
        ["c2", "list_dir", "no such directory", true],
        ["c3", "list_dir", '{"by":"another tool of that name"}'],
      ),
    ]);
  });
});
