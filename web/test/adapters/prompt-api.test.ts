import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type PromptApiTool,
  type PromptApiToolCallContent,
  type PromptApiToolResponse,
  promptApiTools,
} from "../../src/adapters/prompt-api.ts";
import { isRecord } from "../../src/lib/checks.ts";
import { CallLog, heard, startForAllTests } from "../providers/exploration.ts";

const started = startForAllTests();

/**
 * The Prompt API of Chrome with tools enabled, with a scripted model: no browser that
 * runs the tests has one. It refuses what Chrome refuses, with exceptions of the same kinds.
 */
function installPromptApi(options: { idMember?: "callID" | "callId"; isIdEmpty?: boolean } = {}) {
  const { idMember = "callID", isIdEmpty = false } = options;
  class ToolCall {
    constructor(init: object) {
      Object.assign(this, init);
    }
  }
  const requireMembers = (what: string, init: Record<string, unknown>, members: string[]) => {
    for (const member of members) {
      if (init[member] === undefined) {
        throw new TypeError(`${what} requires ${members.join(", ")}.`);
      }
    }
  };
  class LanguageModelToolSuccess {
    readonly shown: readonly unknown[];
    constructor(init: Record<string, unknown>) {
      requireMembers("LanguageModelToolSuccess", init, [idMember, "name", "result"]);
      const { result } = init;
      assert.ok(Array.isArray(result));
      this.shown = [init[idMember], init.name, "success", result];
    }
  }
  class LanguageModelToolError {
    readonly shown: readonly unknown[];
    constructor(init: Record<string, unknown>) {
      requireMembers("LanguageModelToolError", init, [idMember, "name", "errorMessage"]);
      this.shown = [init[idMember], init.name, "error", init.errorMessage];
    }
  }

  interface SessionOptions {
    readonly tools: readonly PromptApiTool[];
    readonly expectedInputs: readonly { readonly type: string }[];
    readonly expectedOutputs: readonly { readonly type: string }[];
  }
  type Content = PromptApiToolCallContent | { type: "text"; value: string };
  type Message = { role: "user"; content: readonly PromptApiToolResponse[] };

  class LanguageModel {
    readonly #script: readonly (readonly [name: string, args: object][])[];
    readonly #options: SessionOptions;
    readonly shown: unknown[][] = [];

    constructor(options: SessionOptions, script: readonly (readonly [string, object][])[]) {
      this.#options = options;
      this.#script = script;
      if (!options.expectedOutputs.some(({ type }) => type === "tool-call")) {
        throw new DOMException("tools without tool-call outputs", "NotSupportedError");
      }
    }

    async prompt(input: string | readonly Message[]): Promise<string | readonly Content[]> {
      if (typeof input !== "string") {
        this.shown.push(input.flatMap(({ content }) => content.map((part) => this.#take(part))));
      }
      const asked = this.#script[this.shown.length];
      if (asked === undefined) {
        return "That is all.";
      }
      return [
        { type: "text", value: "I will look." },
        ...asked.map(([name, args], index) => {
          const id = isIdEmpty ? "" : `call_${this.shown.length + 1}_${index + 1}`;
          const call = new ToolCall({ name, arguments: args, [idMember]: id });
          assert.ok("name" in call && typeof call.name === "string");
          return { type: "tool-call" as const, value: { ...call, name: call.name } };
        }),
      ];
    }

    #take({ type, value }: PromptApiToolResponse): unknown {
      if (!this.#options.expectedInputs.some((expected) => expected.type === type)) {
        throw new DOMException(`${type} was not expected`, "NotSupportedError");
      }
      if (value instanceof LanguageModelToolSuccess || value instanceof LanguageModelToolError) {
        return value.shown;
      }
      throw new TypeError("The value must be a LanguageModelToolSuccess or LanguageModelToolError");
    }
  }
  Object.assign(globalThis, { LanguageModelToolSuccess, LanguageModelToolError });
  return LanguageModel;
}

function uninstallPromptApi(): void {
  Reflect.deleteProperty(globalThis, "LanguageModelToolSuccess");
  Reflect.deleteProperty(globalThis, "LanguageModelToolError");
}

const text = (value: string) => [{ type: "text", value }];

const SCRIPT = [
  [["list_dir", { dir_path: "/repo", depth: 1, limit: 2 }]],
  [
    ["read_file", { file_path: "/repo/no-such-file.txt" }],
    ["read_file", { file_path: "/repo/README.md" }],
  ],
  [["delete_everything", {}]],
] satisfies [string, object][][];

const ANSWERS = [
  [
    "list_dir",
    "success",
    text("Absolute path: /repo\nREADME.md\npart-0.txt\nMore than 2 entries found"),
  ],
  ["read_file", "error", "failed to read file: No such file or directory (os error 2)"],
  ["read_file", "success", text("L1: # Sample\nL2: \nL3: A tree for agents.")],
  [
    "delete_everything",
    "error",
    'There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.',
  ],
] as const;

/** Asks, and answers calls until the model makes no more; returns all that the model was shown. */
async function converse(LanguageModel: ReturnType<typeof installPromptApi>, log = new CallLog()) {
  const { answer, ...options } = await promptApiTools(started.client, { onCall: log.onCall });
  const session = new LanguageModel(options, SCRIPT);
  let turn = await session.prompt("What is in /repo?");
  while (typeof turn !== "string") {
    turn = await session.prompt([{ role: "user", content: await answer(turn) }]);
  }
  assert.equal(turn, "That is all.");
  return session.shown;
}

describe("the browser's own model", () => {
  for (const idMember of ["callID", "callId"] as const) {
    test(`asks, is answered in order and finishes with the id in ${idMember}`, async () => {
      const log = new CallLog();
      const LanguageModel = installPromptApi({ idMember });
      const ids = ["call_1_1", "call_2_1", "call_2_2", "call_3_1"];
      const [first, missing, read, unknown] = ANSWERS.map((answer, index) => [
        ids[index],
        ...answer,
      ]);
      try {
        assert.deepEqual(await converse(LanguageModel, log), [[first], [missing, read], [unknown]]);
      } finally {
        uninstallPromptApi();
      }
      assert.deepEqual(
        new Set(log.calls.map(({ callId, name, outcome }) => `${callId} ${name} ${outcome}`)),
        new Set([
          "call_1_1 list_dir answered",
          "call_2_1 read_file answered",
          "call_2_2 read_file answered",
          "call_3_1 delete_everything unknown",
        ]),
      );
    });
  }

  test("gets its answers in the order of its calls without ids", async () => {
    const LanguageModel = installPromptApi({ isIdEmpty: true });
    const [first, missing, read, unknown] = ANSWERS.map((answer) => ["", ...answer]);
    try {
      assert.deepEqual(await converse(LanguageModel), [[first], [missing, read], [unknown]]);
    } finally {
      uninstallPromptApi();
    }
  });
});

describe("the tools for the Prompt API", () => {
  test("come with the inputs and outputs that a session has to expect", async () => {
    const { answer, ...options } = await promptApiTools(started.client, {
      prefix: "repo_",
      allow: ["read_file"],
    });
    const own = (await started.client.listTools()).at(-1);
    assert.ok(own);
    assert.equal(typeof answer, "function");
    assert.deepEqual(options, {
      tools: [
        {
          name: "repo_read_file",
          description: own.description,
          inputSchema: own.inputSchema,
        },
      ],
      expectedInputs: [{ type: "text" }, { type: "tool-response" }],
      expectedOutputs: [{ type: "text" }, { type: "tool-call" }],
    });
  });

  test("answer calls, parts of a turn and chunks of a stream, and ignore text", async () => {
    const { answer } = await promptApiTools(started.client);
    const call = { callID: "c1", name: "read_file", arguments: { file_path: "/repo/part-1.txt" } };
    const answered = {
      type: "tool-response",
      value: {
        callID: "c1",
        callId: "c1",
        name: "read_file",
        result: text("L1: This is part 1."),
      },
    };
    assert.deepEqual(await answer([call]), [answered]);
    assert.deepEqual(
      await answer(["I ", { type: "text", value: "will" }, { type: "tool-call", value: call }]),
      [answered],
    );
    assert.deepEqual(await answer("Nothing to look up."), []);
    assert.deepEqual(await answer([call, call]), [answered, answered]);
  });

  test("survive calls that no model should make", async () => {
    const { answer } = await promptApiTools(started.client);
    const answers = await answer([
      { name: "LS" },
      { name: "list_dir", arguments: { dir_path: 7 } },
      { name: "list_dir", arguments: '{"dir_path": ' },
      { name: "list_dir", arguments: null },
    ]);
    const messages = answers.map(({ value }) => isRecord(value) && value.errorMessage);
    const example =
      'expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
    assert.deepEqual(messages, [
      undefined,
      `failed to parse function arguments: \`dir_path\` must be a string, not 7; ${example}`,
      "failed to parse function arguments: the arguments are not valid JSON: " +
        "Expecting value: line 1 column 14 (char 13)",
      `failed to parse function arguments: \`dir_path\` is missing; ${example}`,
    ]);
  });

  test("return at most 1,500 characters by default", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `漢字 line ${index}\n`).join("");
    await started.client.mount("/long", { entries: { "long.txt": lines } });
    const call = { name: "read_file", arguments: { file_path: "/long/long.txt" } };
    const lengths = [];
    for (const options of [{}, { output: null }]) {
      const { answer } = await promptApiTools(started.client, options);
      const [answered] = await answer([call]);
      const { result } = Object(answered?.value);
      lengths.push(result[0].value.length);
    }
    const [short, whole] = lengths;
    assert.ok(short > 900 && short <= 1_500 && whole > 8_000, String(lengths));
  });

  test("reject only with the signal's reason", async () => {
    const log = new CallLog();
    const { answer } = await promptApiTools(started.client, { onCall: log.onCall });
    const args = { dir_path: "/repo" };
    const call = { callID: "c1", name: "list_dir", arguments: args };
    const controller = new AbortController();
    const answers = answer([call], { signal: controller.signal });
    controller.abort(new Error("The person pressed stop."));
    await assert.rejects(answers, { message: "The person pressed stop." });
    assert.deepEqual(log.calls, [
      heard("list_dir", "c1", args, "", { outcome: "aborted", isError: true }),
    ]);
  });
});
