import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Content,
  type GenerateContentParameters,
  GoogleGenAI,
  type ToolListUnion,
} from "@google/genai";
import { type GeminiTools, geminiTools } from "../../src/adapters/gemini.ts";
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

/** Returns the model's content; null if the candidate has no content. */
type Ask = (request: GenerateContentParameters) => Promise<Content | null>;

const started = startForAllTests();

function sdk(): GoogleGenAI {
  const httpOptions = { baseUrl: started.providers.origin };
  return new GoogleGenAI({ apiKey: "key-of-the-person", httpOptions });
}

const plain: Ask = async (request) => {
  const { candidates } = await sdk().models.generateContent(request);
  return candidates?.[0]?.content ?? null;
};

const streamed: Ask = async (request) => {
  const contents: Content[] = [];
  for await (const { candidates } of await sdk().models.generateContentStream(request)) {
    contents.push(candidates?.[0]?.content ?? {});
  }
  const parts = contents.flatMap((content) => content.parts ?? []);
  return parts.length === 0 ? null : { role: "model", parts: joined(parts) };
};

/** Joins the pieces of a text. */
function joined(parts: NonNullable<Content["parts"]>) {
  const text = parts.map((part) => part.text ?? "").join("");
  const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
  return [...(text === "" ? [] : [{ text }]), ...calls];
}

/** Asks, and answers calls until the model makes no more; returns all contents. */
async function converse(ask: Ask, model: string, { tools, answer }: GeminiTools) {
  const contents: Content[] = [user({ text: QUESTION })];
  for (;;) {
    const content = await ask({ model, contents, config: { tools } });
    if (content !== null) {
      contents.push(content);
    }
    const parts = await answer(content);
    if (parts.length === 0) {
      return contents;
    }
    contents.push({ role: "user", parts });
  }
}

function tools(options: ToolsetOptions = {}) {
  return geminiTools(started.client, options);
}

function user(...parts: object[]) {
  return { role: "user", parts };
}

function model(...parts: object[]) {
  return { role: "model", parts };
}

function asks(id: string, name: string, args: Record<string, unknown>) {
  return { functionCall: { id, name, args } };
}

function told(id: string, name: string, text: string, isError = false) {
  const response = isError ? { error: text } : { output: text };
  return { functionResponse: { id, name, response } };
}

const ASKED = user({ text: QUESTION });

const EXPLORED = [
  ASKED,
  ...EXPLORATION.flatMap(({ name, args, text, isError }, index) => {
    const id = `call_${index + 1}_1`;
    const introduction = index === 0 ? [{ text: INTRODUCTION }] : [];
    return [model(...introduction, asks(id, name, args)), user(told(id, name, text, isError))];
  }),
  model({ text: CONCLUSION }),
];

/** The events that the host gets. */
const HEARD = EXPLORATION.map(({ name, args, text, isError }, index) =>
  heard(name, `call_${index + 1}_1`, args, text, { isError, truncated: index < 3 }),
);

describe("a whole conversation", () => {
  const ways = { generateContent: plain, streamGenerateContent: streamed };
  for (const [method, ask] of Object.entries(ways)) {
    test(`by ${method} reads the next page, gets an error and quotes the file`, async () => {
      const log = new CallLog();
      const contents = await converse(ask, "explorer", await tools({ onCall: log.onCall }));
      assert.deepEqual(contents, EXPLORED);
      assert.deepEqual(log.calls, HEARD);
      const recorded = started.providers.takeRecorded();
      assert.deepEqual(
        recorded.map(({ path, headers, refusal }) => [path, headers["x-goog-api-key"], refusal]),
        Array.from({ length: EXPLORATION.length + 1 }, () => [
          `/v1/models/explorer:${method}${ask === streamed ? "?alt=sse" : ""}`,
          "key-of-the-person",
          null,
        ]),
      );
    });
  }

  test("that the client library runs by itself has the same contents", async () => {
    const log = new CallLog();
    const { callable } = await tools({ onCall: log.onCall });
    const response = await sdk().models.generateContent({
      model: "explorer",
      contents: QUESTION,
      config: { tools: [callable] },
    });
    assert.equal(response.text, CONCLUSION);
    assert.deepEqual(response.automaticFunctionCallingHistory, EXPLORED.slice(0, -1));
    assert.deepEqual(log.calls, HEARD);
  });

  test("that the client library runs and streams ends in the same words", async () => {
    const log = new CallLog();
    const { callable } = await tools({ onCall: log.onCall });
    const texts: string[] = [];
    const stream = await sdk().models.generateContentStream({
      model: "explorer",
      contents: QUESTION,
      config: { tools: [callable] },
    });
    for await (const { candidates } of stream) {
      const parts = candidates?.[0]?.content?.parts ?? [];
      texts.push(...parts.map(({ text }) => text ?? ""));
    }
    assert.equal(texts.join(""), INTRODUCTION + CONCLUSION);
    assert.deepEqual(log.calls, HEARD);
  });

  test("with another callable does not answer the other's calls", async () => {
    const log = new CallLog();
    const name = "delete_everything";
    const { callable } = await tools({ onCall: log.onCall, answeredElsewhere: [name] });
    const declared = { name, parametersJsonSchema: { type: "object" } };
    const other: ToolListUnion[number] = {
      tool: async () => ({ functionDeclarations: [declared] }),
      callTool: async (calls) =>
        calls.flatMap((call) =>
          call.name === name ? [told(call.id ?? "", name, "Nothing was deleted.")] : [],
        ),
    };
    const response = await sdk().models.generateContent({
      model: "unknown-tool",
      contents: QUESTION,
      config: { tools: [callable, other] },
    });
    assert.equal(response.text, "I was told: Nothing was deleted.");
    assert.deepEqual(log.calls, []);
  });
});

describe("a model that errs", () => {
  const UNKNOWN =
    'There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.';

  test("in the JSON of its arguments is stopped by the provider, and nothing is called", async () => {
    const log = new CallLog();
    const { onCall } = log;
    const contents = await converse(plain, "malformed-arguments", await tools({ onCall }));
    assert.deepEqual([contents, log.calls], [[ASKED], []]);
  });

  test("in a tool's name is told the names of the tools", async () => {
    const log = new CallLog();
    const contents = await converse(streamed, "unknown-tool", await tools({ onCall: log.onCall }));
    assert.deepEqual(contents, [
      ASKED,
      model(asks("call_1_1", "delete_everything", {})),
      user(told("call_1_1", "delete_everything", UNKNOWN, true)),
      model({ text: `I was told: ${UNKNOWN}` }),
    ]);
    assert.deepEqual(log.calls, [
      heard("delete_everything", "call_1_1", {}, UNKNOWN, {
        tool: null,
        outcome: "unknown",
        isError: true,
      }),
    ]);
  });

  test("in a tool's name is told so if the client library calls", async () => {
    const { callable } = await tools();
    const response = await sdk().models.generateContent({
      model: "unknown-tool",
      contents: QUESTION,
      config: { tools: [callable] },
    });
    assert.equal(response.text, `I was told: ${UNKNOWN}`);
  });

  test("in the types of its arguments is told the right types", async () => {
    const contents = await converse(plain, "wrong-types", await tools());
    const text =
      'failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must be a whole number between 0 and 18446744073709551615, without a decimal point, not "two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';
    assert.deepEqual(contents, [
      ASKED,
      model(asks("call_1_1", "list_dir", { dir_path: 7, depth: "two" })),
      user(told("call_1_1", "list_dir", text, true)),
      model({ text: `I was told: ${text}` }),
    ]);
  });

  test("and gives two calls the same id is answered twice, in their order", async () => {
    const contents = await converse(plain, "duplicate-ids", await tools());
    const entries = Array.from({ length: 10 }, (_, index) => `part-${index}.txt`);
    const listed = ["Absolute path: /repo", "README.md", ...entries, "src/"].join("\n");
    assert.deepEqual(contents.slice(2), [
      user(
        told("call_same", "list_dir", listed),
        told("call_same", "read_file", "L1: # Sample\nL2: \nL3: A tree for agents."),
      ),
      model({ text: "I was told: L1: # Sample" }),
    ]);
  });

  test("and makes ten calls at once is answered in their order", async () => {
    const contents = await converse(streamed, "ten-in-parallel", await tools());
    const results = Array.from({ length: 10 }, (_, index) =>
      told(`call_1_${index + 1}`, "read_file", `L1: This is part ${index}.`),
    );
    assert.deepEqual(contents.slice(2), [
      user(...results),
      model({ text: "I was told: L1: This is part 9." }),
    ]);
  });

  test("and gives a call no id, no name or no arguments is still answered", async () => {
    const { answer } = await tools({ allow: ["list_dir"] });
    assert.deepEqual(await answer({ parts: [{ functionCall: {} }, {}] }), [
      {
        functionResponse: {
          name: "",
          response: { error: 'There is no tool ""; the tools are: list_dir.' },
        },
      },
    ]);
  });
});
