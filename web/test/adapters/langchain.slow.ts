import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { langChainTools, type TreeglassTool } from "../../src/adapters/langchain.ts";
import type { ToolsetOptions } from "../../src/adapters/toolset.ts";
import { langChainHost } from "../providers/agent-libraries.ts";
import { CallLog, EXPLORATION, heard, startForAllTests } from "../providers/exploration.ts";
import { PROJECT_LISTING } from "../support/real-client.ts";

const started = startForAllTests();

const host = () => langChainHost(started);

function tools(options: ToolsetOptions = {}): Promise<TreeglassTool[]> {
  return langChainTools(started.client, options);
}

for (const way of ["plain", "streamed"] as const) {
  describe(`a conversation that is ${way}`, () => {
    test("goes on after a call of an unknown tool", async () => {
      const { asks, says, [way]: converse } = host();
      const { onCall, calls } = new CallLog();
      assert.deepEqual(await converse("unknown-tool", { onCall }), [
        ...asks([["call_1_1", { name: "delete_everything", args: {} }]]),
        { told: "no such tool", id: "call_1_1", name: undefined, status: "error" },
        says("I was told: no such tool"),
      ]);
      assert.deepEqual(calls, []);
    });

    for (const [model, message] of [
      ["status-401", /^401 The key is not valid\./],
      ["status-429", /^429 The rate limit is reached\./],
      ["status-500", /^500 The provider failed\./],
    ] as const) {
      test(`ends with the provider's message and without a call: ${model}`, async () => {
        const { onCall, calls } = new CallLog();
        await assert.rejects(host()[way](model, { onCall }), { message });
        assert.deepEqual(calls, []);
      });
    }

    test("ends where the provider drops it, and without a call", async () => {
      const { onCall, calls } = new CallLog();
      await assert.rejects(host()[way]("drops-stream", { onCall }));
      assert.deepEqual(calls, []);
    });

    test("stops with its call while a person is asked", async () => {
      const controller = new AbortController();
      const log = new CallLog();
      const approve = () => {
        controller.abort(new Error("The person pressed stop."));
        return new Promise<never>(() => undefined);
      };
      const asking = { onCall: log.onCall, approve };
      await assert.rejects(host()[way]("explorer", asking, controller.signal), {
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
  const LISTED = [...PROJECT_LISTING, "  main.py"].join("\n");

  for (const [what, way, args, text] of [
    [
      "is told so and goes on",
      "plain",
      '{"dir_path": "/re',
      "failed to parse function arguments: the arguments are not valid JSON: " +
        "Unterminated string starting at: line 1 column 14 (char 13)",
    ],
    [
      "gets the answer to the part of a stream that LangChain keeps, and goes on",
      "streamed",
      { dir_path: "/re" },
      "failed to read directory: No such file or directory (os error 2)",
    ],
  ] as const) {
    test(what, async () => {
      const { asks, told, says, [way]: converse } = host();
      const again = ["call_2_1", { name: "list_dir", args: { dir_path: "/repo" } }] as const;
      assert.deepEqual(await converse("malformed-arguments"), [
        { asks: [["call_1_1", "list_dir", args]], text: "" },
        ...told([["call_1_1", { name: "list_dir", args: {} }, text, true]]),
        ...asks([again]),
        ...told([[...again, LISTED]]),
        says("I was told: Absolute path: /repo"),
      ]);
    });
  }
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
        structuredContent: null,
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
