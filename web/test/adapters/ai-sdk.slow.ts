import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertToModelMessages, type ToolSet, type UIMessage } from "ai";
import { aiSdkTools } from "../../src/adapters/ai-sdk.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { isRecord } from "../../src/lib/checks.ts";
import { aiSdkHost } from "../providers/agent-libraries.ts";
import { CallLog, EXPLORATION, heard, startForAllTests } from "../providers/exploration.ts";
import type { Told } from "../providers/hosts.ts";
import { PROJECT_LISTING } from "../support/real-client.ts";

const started = startForAllTests();

const host = () => aiSdkHost(started);

function tools(options: ToolsetOptions = {}): Promise<ToolSet> {
  return aiSdkTools(started.client, options);
}

/** Leaves out members that are undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

for (const way of ["plain", "streamed"] as const) {
  describe(`a conversation that is ${way}`, () => {
    test("goes on after cut-off arguments, with the SDK's own message", async () => {
      const { asks, told, says, [way]: converse } = host();
      const log = new CallLog();
      const broken =
        "AI_InvalidToolInputError: Invalid input for tool list_dir: AI_JSONParseError: " +
        'JSON parsing failed: Text: {"dir_path": "/re.\n' +
        "Error message: SyntaxError: Unterminated string in JSON at position 17";
      const listing = [...PROJECT_LISTING, "  main.py"].join("\n");
      const first = ["call_1_1", { name: "list_dir", args: {} }] as const;
      const again = ["call_2_1", { name: "list_dir", args: { dir_path: "/repo" } }] as const;
      assert.deepEqual(await converse("malformed-arguments", { onCall: log.onCall }), [
        ...asks([first]),
        ...told([[...first, broken, true]]),
        ...asks([again]),
        ...told([[...again, listing]]),
        says("I was told: Absolute path: /repo"),
      ]);
      assert.deepEqual(log.calls, [heard("list_dir", "call_2_1", { dir_path: "/repo" }, listing)]);
    });

    test("goes on after a call of an unknown tool", async () => {
      const { asks, told, says, [way]: converse } = host();
      const { onCall, calls } = new CallLog();
      const called = ["call_1_1", { name: "delete_everything", args: {} }] as const;
      const text =
        "AI_NoSuchToolError: Model tried to call unavailable tool 'delete_everything'. " +
        "Available tools: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.";
      assert.deepEqual(await converse("unknown-tool", { onCall }), [
        ...asks([called]),
        ...told([[...called, text, true]]),
        says(`I was told: ${text}`),
      ]);
      assert.deepEqual(calls, []);
    });

    test("answers each of two calls with the same id", async () => {
      const messages = await host()[way]("duplicate-ids");
      // In a stream, the SDK replaces the second id.
      const outputs = messages.flatMap((message) =>
        isRecord(message) && message.role === "tool" && Array.isArray(message.content)
          ? message.content.map((part) => part.output)
          : [],
      );
      assert.deepEqual(outputs, [
        { type: "text", value: PROJECT_LISTING.join("\n") },
        { type: "text", value: "L1: # Sample\nL2: \nL3: A tree for agents." },
      ]);
    });

    for (const [model, statusCode, message] of [
      ["status-401", 401, "The key is not valid."],
      ["status-429", 429, "The rate limit is reached."],
      ["status-500", 500, "The provider failed."],
      ["drops-stream", 200, "Failed to process successful response"],
    ] as const) {
      test(`ends with the provider's message and without a call: ${model}`, async () => {
        const { onCall, calls } = new CallLog();
        await assert.rejects(host()[way](model, { onCall }), {
          name: "AI_APICallError",
          statusCode,
          message,
        });
        assert.deepEqual(calls, []);
      });
    }

    test("stops with its call while a person is asked", async () => {
      const controller = new AbortController();
      const log = new CallLog();
      const approve = () => {
        controller.abort(new Error("The person pressed stop."));
        return new Promise<never>(() => undefined);
      };
      const asking = { onCall: log.onCall, approve };
      await assert.rejects(host()[way]("explorer", asking, controller.signal));
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
    const messages = await host().plain("ten-in-parallel", { approve: () => false });
    const answers = Array.from(
      { length: 10 },
      (_, index): Told => [
        `call_1_${index + 1}`,
        { name: "read_file", args: {} },
        `The call was not approved: Read file /repo/part-${index}.txt. ` +
          "Go on without it, or ask for something else.",
        true,
      ],
    );
    assert.deepEqual(messages.slice(1, 2), host().told(answers));
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
    const call = { name: "list_dir", args: {} };
    assert.deepEqual(
      plain(messages.filter(({ role }) => role === "tool")),
      host().told([
        ["c1", call, "Absolute path: /repo"],
        ["c2", call, "no such directory", true],
        ["c3", call, '{"by":"another tool of that name"}'],
      ]),
    );
  });
});
