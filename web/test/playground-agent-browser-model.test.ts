import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { TreeglassClient } from "../src/client/client.ts";
import { type RunEnd, runAgent } from "../src/playground/agent/agent-loop.ts";
import type { AgentModel } from "../src/playground/agent/agent-model.ts";
import { findProvider } from "../src/playground/agent/providers.ts";
import { startRealClient } from "./support/real-client.ts";

let client: TreeglassClient;

before(async () => {
  client = await startRealClient({ "README.md": "# Sample\n" });
});

after(() => client.close());

afterEach(() => {
  Reflect.deleteProperty(globalThis, "LanguageModel");
});

/** Stands in for the browser's Prompt API: gives a test's answers in turn, and records its prompts. */
class WrittenLanguageModel {
  readonly created: Readonly<Record<string, unknown>>[] = [];
  readonly prompted: unknown[] = [];
  destroyedCount = 0;
  readonly #answers: unknown[];

  constructor(...answers: unknown[]) {
    this.#answers = answers;
    Reflect.set(globalThis, "LanguageModel", this);
  }

  async create(options: Readonly<Record<string, unknown>>) {
    this.created.push(options);
    return {
      prompt: async (input: unknown, { signal }: { readonly signal: AbortSignal }) => {
        signal.throwIfAborted();
        this.prompted.push(input);
        const answer = this.#answers.shift();
        if (answer instanceof Error) {
          throw answer;
        }
        return answer;
      },
      destroy: () => {
        this.destroyedCount += 1;
      },
    };
  }
}

async function open(): Promise<AgentModel> {
  const context = { client, systemPrompt: "Look before you answer.", toolsetOptions: {} };
  return findProvider("browser").create({ address: "", model: "", key: "" }, context);
}

async function ask(model: AgentModel, question: string): Promise<[string[], RunEnd]> {
  const said: string[] = [];
  const silent = () => {};
  model.ask(question);
  const end = await runAgent(
    model,
    {
      onTurnBegun: silent,
      onText: silent,
      onRetry: silent,
      onTurnEnded: ({ text }) => said.push(text),
      onCallsEnded: silent,
    },
    { signal: new AbortController().signal },
  );
  return [said, end];
}

describe("the browser's own model", () => {
  test("is offered only if the browser has one", () => {
    const { isOffered } = findProvider("browser");
    const before = isOffered();
    new WrittenLanguageModel();
    assert.deepEqual([before, isOffered()], [false, true]);
  });

  test("calls the tools and answers from their results", async () => {
    const args = { file_path: "/repo/README.md" };
    const browser = new WrittenLanguageModel(
      [
        { type: "text", value: "I look." },
        { type: "tool-call", value: { callID: "1", name: "read_file", arguments: args } },
      ],
      "It is a sample.",
    );
    const report = await ask(await open(), "What is it?");
    assert.deepEqual(report, [["I look.", "It is a sample."], { kind: "answered" }]);
    assert.deepEqual(browser.prompted, [
      [{ role: "user", content: [{ type: "text", value: "What is it?" }] }],
      [
        {
          role: "user",
          content: [
            {
              type: "tool-response",
              value: {
                callID: "1",
                callId: "1",
                name: "read_file",
                result: [{ type: "text", value: "L1: # Sample" }],
              },
            },
          ],
        },
      ],
    ]);
    assert.deepEqual(
      browser.created.map(({ initialPrompts, expectedInputs }) => [initialPrompts, expectedInputs]),
      [
        [
          [{ role: "system", content: "Look before you answer." }],
          [{ type: "text" }, { type: "tool-response" }],
        ],
      ],
    );
  });

  test("says in one sentence why it could not answer, and takes the next question", async () => {
    new WrittenLanguageModel(new Error("The input is too large."), "Now I can.");
    const model = await open();
    assert.deepEqual(await ask(model, "All of it?"), [
      [""],
      {
        kind: "failed",
        sentence:
          "The browser's model could not answer: The input is too large. Ask again, clear the conversation, or choose another model.",
      },
    ]);
    assert.deepEqual(await ask(model, "Less?"), [["Now I can."], { kind: "answered" }]);
  });

  test("is released when closed, and begins a new session after that", async () => {
    const browser = new WrittenLanguageModel("One.", "Two.");
    const model = await open();
    await ask(model, "First?");
    model.close?.();
    model.close?.();
    await ask(model, "Second?");
    assert.deepEqual([browser.destroyedCount, browser.created.length], [1, 2]);
  });

  test("gets a question that it could not answer only once", async () => {
    const browser = new WrittenLanguageModel(new Error("Not now."), "Now I can.");
    const model = await open();
    await ask(model, "Which one?");
    await ask(model, "Which one?");
    const asked = [{ role: "user", content: [{ type: "text", value: "Which one?" }] }];
    assert.deepEqual(browser.prompted, [asked, asked]);
  });
});
