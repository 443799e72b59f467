import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ToolExecutionOptions } from "ai";
import { aiSdkTools } from "../../src/adapters/ai-sdk.ts";
import { anthropicTools } from "../../src/adapters/anthropic.ts";
import { geminiTools } from "../../src/adapters/gemini.ts";
import { langChainTools } from "../../src/adapters/langchain.ts";
import { openAiChatTools, openAiTools } from "../../src/adapters/openai.ts";
import { promptApiTools } from "../../src/adapters/prompt-api.ts";
import {
  type AnswerOptions,
  createToolset,
  type ToolsetOptions,
} from "../../src/adapters/toolset.ts";
import type { ToolClient } from "../../src/adapters/toolset-types.ts";
import type { CallToolOptions } from "../../src/client/method-options.ts";
import type { ToolDefinition, ToolResult } from "../../src/protocol/tools.ts";
import { DEFINITION, RESULT } from "../support/connected.ts";

const NAME = "Write";
const WRITE = { ...DEFINITION, name: NAME, annotations: { readOnlyHint: false } };

/** Returns a client of one tool that changes, and the options that its calls got. */
function noting(content = "done"): { client: ToolClient; given: CallToolOptions[] } {
  const given: CallToolOptions[] = [];
  const run = async (options: CallToolOptions = {}) => {
    given.push(options);
    return { ...RESULT, content, truncated: true } as ToolResult;
  };
  const client: ToolClient = {
    listTools: async () => [WRITE as unknown as ToolDefinition],
    describeTools: async () => [],
    prepareCall: async () => ({ summary: "Write a.txt", run }),
    callTool: (_name, _args, options) => run(options),
  };
  return { client, given };
}

const groupsOf = (given: readonly CallToolOptions[]) => given.map(({ group }) => group);

/** How a host answers a message with two calls, by its adapter. */
type AnswerTwo = (client: ToolClient, options: AnswerOptions) => Promise<unknown>;

const ANSWERS: Readonly<Record<string, AnswerTwo>> = {
  openai: async (client, options) => {
    const call = { type: "function_call", call_id: "1", name: NAME, arguments: "{}" };
    return (await openAiTools(client)).answer({ output: [call, call] }, options);
  },
  "openai-chat": async (client, options) => {
    const call = { id: "1", type: "function", function: { name: NAME, arguments: "{}" } };
    return (await openAiChatTools(client)).answer({ tool_calls: [call, call] }, options);
  },
  anthropic: async (client, options) => {
    const call = { type: "tool_use", id: "1", name: NAME, input: {} };
    return (await anthropicTools(client)).answer({ content: [call, call] }, options);
  },
  gemini: async (client, options) => {
    const part = { functionCall: { name: NAME, args: {} } };
    return (await geminiTools(client)).answer({ parts: [part, part] }, options);
  },
  "prompt-api": async (client, options) => {
    const call = { name: NAME, callID: "1", arguments: {} };
    return (await promptApiTools(client)).answer([call, call], options);
  },
};

describe("the calls of one turn", () => {
  for (const [host, answer] of Object.entries(ANSWERS)) {
    test(`have its name in ${host}`, async () => {
      const { client, given } = noting();
      await answer(client, { group: "turn 2" });
      await answer(client, {});
      assert.deepEqual(groupsOf(given), ["turn 2", "turn 2", undefined, undefined]);
    });
  }

  test("have the name of the present turn where a library makes the calls", async () => {
    const { client, given } = noting();
    let turn = 1;
    const group = () => `turn ${turn}`;
    const inSdk = await aiSdkTools(client, { group });
    const [inChain] = await langChainTools(client, { group });
    const call = () =>
      inSdk[NAME]?.execute?.({}, {
        toolCallId: "1",
        messages: [],
      } as unknown as ToolExecutionOptions<never>);
    await call();
    await inChain?.invoke({});
    turn = 2;
    await call();
    await inChain?.invoke({});
    assert.deepEqual(groupsOf(given), ["turn 1", "turn 1", "turn 2", "turn 2"]);
  });

  test("have the name that the call gives, rather than that of the toolset", async () => {
    const { client, given } = noting();
    const toolset = await createToolset(client, { group: () => "of the toolset" });
    await toolset.call(NAME, {}, { group: "of the call" });
    await toolset.call(NAME, {}, { group: undefined });
    assert.deepEqual(groupsOf(given), ["of the call", "of the toolset"]);
  });

  test("have the turn of their beginning, however long a person thinks about them", async () => {
    const { client, given } = noting();
    let turn = "turn 1";
    const approve = async () => {
      turn = "turn 2";
      return true;
    };
    await (await createToolset(client, { approve, group: () => turn })).call(NAME, {});
    assert.deepEqual(groupsOf(given), ["turn 1"]);
  });

  test("refuse a name that no function returns", async () => {
    const options = { group: "turn 2" } as unknown as ToolsetOptions;
    await assert.rejects(createToolset(noting().client, options), {
      name: "BadRequest",
      message: "The option group is a function.",
    });
  });
});

test("a tool that changes runs once, however long its answer is", async () => {
  const { client, given } = noting("x".repeat(2000));
  const output = { unit: "characters", max: 100 } as const;
  const { text } = await (await createToolset(client, { output })).call(NAME, {});
  assert.deepEqual([text.length, given], [2000, [{ maxOutputBytes: 100, nullsAreAbsent: false }]]);
});
