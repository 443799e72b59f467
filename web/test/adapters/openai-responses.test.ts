import assert from "node:assert/strict";
import { describe, test } from "node:test";
import OpenAI from "openai";
import { type OpenAiTools, openAiTools } from "../../src/adapters/openai.ts";
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

interface Asked {
  readonly model: string;
  readonly tools: OpenAI.Responses.Tool[];
  readonly input: string | OpenAI.Responses.ResponseInputItem[];
  readonly previous_response_id?: string;
}

type Ask = (body: Asked) => Promise<OpenAI.Responses.Response>;

const started = startForAllTests();

function sdk(): OpenAI {
  const baseURL = `${started.providers.origin}/v1`;
  return new OpenAI({ baseURL, apiKey: "sk-of-the-person", maxRetries: 0 });
}

const plain: Ask = (body) => sdk().responses.create(body);
const streamed: Ask = (body) => sdk().responses.stream(body).finalResponse();

/** Asks until the model makes no more calls; returns the model's items and the answers, in order. */
async function converse(ask: Ask, model: string, { tools, answer }: OpenAiTools) {
  const transcript: unknown[] = [];
  let response = await ask({ model, tools, input: QUESTION });
  for (;;) {
    for (const item of response.output) {
      if (item.type === "function_call") {
        transcript.push([item.call_id, item.name, item.arguments]);
      }
    }
    if (response.output_text !== "") {
      transcript.push(response.output_text);
    }
    const input = await answer(response);
    if (input.length === 0) {
      return transcript;
    }
    transcript.push(...input);
    response = await ask({ model, tools, input, previous_response_id: response.id });
  }
}

function told(call_id: string, output: string) {
  return { type: "function_call_output", call_id, output };
}

describe("a whole conversation", () => {
  for (const [way, ask] of Object.entries({ plain, streamed })) {
    test(`that is ${way} reads the next page, gets an error and quotes the file`, async () => {
      const log = new CallLog();
      const tools = await openAiTools(started.client, { onCall: log.onCall });
      assert.deepEqual(await converse(ask, "explorer", tools), [
        ...EXPLORATION.flatMap((step, index) => {
          const id = `call_${index + 1}_1`;
          const asking = [id, step.name, JSON.stringify(strictly(step))];
          return [asking, ...(index === 0 ? [INTRODUCTION] : []), told(id, step.text)];
        }),
        CONCLUSION,
      ]);
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
        recorded.map(({ path, refusal }) => [path, refusal]),
        Array.from({ length: EXPLORATION.length + 1 }, () => ["/v1/responses", null]),
      );
    });
  }

  test("can be sent whole with every request", async () => {
    const { tools, answer } = await openAiTools(started.client);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: QUESTION }];
    for (;;) {
      const response = await plain({ model: "explorer", tools, input });
      const outputs = await answer(response);
      if (outputs.length === 0) {
        assert.equal(response.output_text, CONCLUSION);
        break;
      }
      const said = response.output.filter((item) => item.type === "function_call");
      input.push(...said, ...outputs);
    }
  });

  test("sees the tools by the names that the page gives them", async () => {
    const options = { allow: ["list_dir", "read_file"], prefix: "repo_" };
    const tools = await openAiTools(started.client, options);
    const transcript = await converse(plain, "explorer", tools);
    assert.deepEqual(
      [tools.tools.map(({ name }) => name), transcript.at(-1)],
      [["repo_list_dir", "repo_read_file"], CONCLUSION],
    );
  });
});

test("calls of the host's own tools are not answered", async () => {
  const { answer } = await openAiTools(started.client, { answeredElsewhere: ["get_weather"] });
  const call = { type: "function_call", call_id: "call_1", name: "get_weather", arguments: "{}" };
  assert.deepEqual(await answer({ output: [call] }), []);
});

test("a name that OpenAI refuses is refused when the tools are made", async () => {
  await assert.rejects(openAiTools(started.client, { prefix: "repo." }), {
    kind: "BadRequest",
    message: 'No tool can be named "repo.Glob": names have 1 to 64 of A-Z a-z 0-9 _ -',
  });
});

describe("a model that errs", () => {
  const UNKNOWN =
    'There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.';
  const BROKEN =
    "failed to parse function arguments: the arguments are not valid JSON: Unterminated string starting at: line 1 column 14 (char 13)";
  const WRONG =
    'failed to parse function arguments: `dir_path` must be a string, not 7; `depth` must be a whole number between 0 and 18446744073709551615, without a decimal point, not "two"; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';

  const answersOf = (transcript: readonly unknown[]) =>
    transcript.filter((entry) => typeof entry === "object" && !Array.isArray(entry));

  for (const [model, text] of Object.entries({ "unknown-tool": UNKNOWN, "wrong-types": WRONG })) {
    test(`is told what is wrong: ${model}`, async () => {
      const transcript = await converse(streamed, model, await openAiTools(started.client));
      assert.deepEqual(transcript.slice(1), [told("call_1_1", text), `I was told: ${text}`]);
    });
  }

  test("in the JSON of its arguments is told so, and tries again", async () => {
    const tools = await openAiTools(started.client);
    const transcript = await converse(plain, "malformed-arguments", tools);
    assert.deepEqual(answersOf(transcript).slice(0, 1), [told("call_1_1", BROKEN)]);
    assert.deepEqual(transcript.at(-1), "I was told: Absolute path: /repo");
  });

  test("and gives two calls the same id is answered twice, in their order", async () => {
    const tools = await openAiTools(started.client, { output: { unit: "bytes", max: 300 } });
    assert.deepEqual(answersOf(await converse(plain, "duplicate-ids", tools)), [
      told(
        "call_same",
        [
          "Absolute path: /repo",
          "README.md",
          ...Array.from({ length: 10 }, (_, index) => `part-${index}.txt`),
          "src/",
        ].join("\n"),
      ),
      told("call_same", "L1: # Sample\nL2: \nL3: A tree for agents."),
    ]);
  });

  test("and makes ten calls at once is answered in their order", async () => {
    const tools = await openAiTools(started.client);
    assert.deepEqual(
      answersOf(await converse(streamed, "ten-in-parallel", tools)),
      Array.from({ length: 10 }, (_, index) =>
        told(`call_1_${index + 1}`, `L1: This is part ${index}.`),
      ),
    );
  });
});
