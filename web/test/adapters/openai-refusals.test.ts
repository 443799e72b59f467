import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { MODELS, type Providers, startProviders } from "../providers/server.ts";

let providers: Providers;
let openai: OpenAI;

before(async () => {
  providers = await startProviders();
  openai = new OpenAI({ baseURL: `${providers.origin}/v1`, apiKey: "sk", maxRetries: 0 });
});
after(() => providers.close());

const ASKED = { role: "user", content: "What is in /repo?" } as const;
const CALLED = { name: "list_dir", arguments: "{}" };

/** Compares a refusal with the library's error and with the server's record. */
async function assertRefused(asking: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(asking, { status: 400, message: `400 ${message}` });
  assert.deepEqual(
    providers.takeRecorded().map(({ refusal }) => refusal),
    [message],
  );
}

/** A strict function with a schema. */
function strict(parameters: OpenAI.FunctionParameters) {
  return { type: "function", name: "list_dir", parameters, strict: true } as const;
}

describe("Chat Completions refuses, and says why,", () => {
  const calling = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: CALLED }],
  } as const;
  const unanswered =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1";
  const unasked =
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls': call_1";
  const answered = { role: "tool", tool_call_id: "call_1", content: "a.txt" } as const;

  const cases: readonly [string, OpenAI.ChatCompletionMessageParam[], string][] = [
    [
      "a call without an answer",
      [ASKED, { ...calling, tool_calls: [...calling.tool_calls] }, ASKED],
      unanswered,
    ],
    ["a call at the end", [ASKED, { ...calling, tool_calls: [...calling.tool_calls] }], unanswered],
    ["an answer without a call", [ASKED, answered], unasked],
    [
      "an answer that comes twice",
      [ASKED, { ...calling, tool_calls: [...calling.tool_calls] }, answered, answered],
      unasked,
    ],
    ["nothing at all", [], "Invalid 'messages': empty array."],
  ];
  for (const [what, messages, message] of cases) {
    test(what, async () => {
      const asking = openai.chat.completions.create({ model: "explorer", messages });
      await assertRefused(asking, message);
    });
  }
});

describe("Responses refuses, and says why,", () => {
  const call = { type: "function_call", call_id: "call_1", ...CALLED } as const;
  const output = { type: "function_call_output", call_id: "call_1", output: "a.txt" } as const;

  const cases: readonly [string, OpenAI.Responses.ResponseInputItem[], string][] = [
    ["a call without an output", [ASKED, call], "No tool output found for function call call_1."],
    [
      "an output without a call",
      [ASKED, output],
      "No tool call found for function call output with call_id call_1.",
    ],
  ];
  for (const [what, input, message] of cases) {
    test(what, async () => {
      await assertRefused(openai.responses.create({ model: "explorer", input }), message);
    });
  }

  test("an unknown response", async () => {
    const asking = openai.responses.create({
      model: "explorer",
      input: "What is in /repo?",
      previous_response_id: "resp_0",
    });
    await assertRefused(asking, "Previous response with id 'resp_0' not found.");
  });
});

describe("a strict schema is refused", () => {
  const path = { type: "string" };
  const words = (context: string, reason: string) =>
    `Invalid schema for function 'list_dir': In context=(${context}), ${reason}.`;
  const open = "'additionalProperties' is required to be supplied and to be false";
  const missing =
    "'required' is required to be supplied and to be an array including every key in properties. Missing 'path'";

  const cases: readonly [string, OpenAI.FunctionParameters, string][] = [
    [
      "that takes other properties",
      { type: "object", properties: { path }, required: ["path"] },
      words("", open),
    ],
    [
      "with an optional property",
      { type: "object", properties: { path }, required: [], additionalProperties: false },
      words("", missing),
    ],
    [
      "with a default",
      {
        type: "object",
        properties: { path: { ...path, default: "." } },
        required: ["path"],
        additionalProperties: false,
      },
      words("properties, path", "'default' is not permitted"),
    ],
    [
      "with an object inside that takes other properties",
      {
        type: "object",
        properties: { block: { type: ["object", "null"], properties: {} } },
        required: ["block"],
        additionalProperties: false,
      },
      words("properties, block", open),
    ],
  ];
  for (const [what, parameters, message] of cases) {
    test(what, async () => {
      const tools = [strict(parameters)];
      const asking = openai.responses.create({ model: "explorer", input: "Look.", tools });
      await assertRefused(asking, message);
    });
  }
});

test("the models are listed for the client libraries", async () => {
  const names: string[] = [];
  for await (const { id } of openai.models.list()) {
    names.push(id);
  }
  assert.deepEqual(names, MODELS);
});

test("the preflight of any origin is answered with what it may send", async () => {
  const response = await fetch(`${providers.origin}/v1/responses`, {
    method: "OPTIONS",
    headers: {
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });
  const allowed = ["origin", "methods", "headers"].map((name) =>
    response.headers.get(`access-control-allow-${name}`),
  );
  assert.deepEqual(
    [response.status, ...allowed],
    [204, "*", "GET, POST", "authorization,content-type"],
  );
});
