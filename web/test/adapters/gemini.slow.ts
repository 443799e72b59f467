import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ToolListUnion } from "@google/genai";
import { geminiTools } from "../../src/adapters/gemini.ts";
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
import { geminiHost, geminiLibrary } from "../providers/hosts.ts";

const started = startForAllTests();

const tools = (options: ToolsetOptions = {}) => geminiTools(started.client, options);

/** The events that the host gets. */
const HEARD = EXPLORATION.map(({ name, args, text, isError }, index) =>
  heard(name, `call_${index + 1}_1`, args, text, { isError, truncated: index < 3 }),
);

describe("a conversation", () => {
  test("that the client library runs by itself has the same contents", async () => {
    const log = new CallLog();
    const { callable } = await tools({ onCall: log.onCall });
    const response = await geminiLibrary(started).models.generateContent({
      model: "explorer",
      contents: QUESTION,
      config: { tools: [callable] },
    });
    assert.equal(response.text, CONCLUSION);
    const contents = await geminiHost(started).plain("explorer");
    assert.deepEqual(response.automaticFunctionCallingHistory, contents.slice(0, -1));
    assert.deepEqual(log.calls, HEARD);
  });

  test("that the client library runs and streams ends in the same words", async () => {
    const log = new CallLog();
    const { callable } = await tools({ onCall: log.onCall });
    const texts: string[] = [];
    const stream = await geminiLibrary(started).models.generateContentStream({
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
          call.name === name
            ? [{ functionResponse: { ...call, response: { output: "Nothing was deleted." } } }]
            : [],
        ),
    };
    const response = await geminiLibrary(started).models.generateContent({
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
    const { asked, plain } = geminiHost(started);
    const { onCall, calls } = new CallLog();
    assert.deepEqual([await plain("malformed-arguments", { onCall }), calls], [asked, []]);
  });

  test("in a tool's name is told so if the client library calls", async () => {
    const { callable } = await tools();
    const response = await geminiLibrary(started).models.generateContent({
      model: "unknown-tool",
      contents: QUESTION,
      config: { tools: [callable] },
    });
    assert.equal(response.text, `I was told: ${UNKNOWN}`);
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
