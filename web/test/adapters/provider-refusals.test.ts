import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { MODELS, type Providers, startProviders } from "../providers/server.ts";

let providers: Providers;

before(async () => {
  providers = await startProviders();
});
after(() => providers.close());

const CALLED = { name: "list_dir", arguments: "{}" };
const ASKED = { role: "user", content: "What is in /repo?" };

/** What a request to each provider is, and how its members are sent. */
const PROVIDERS = {
  "OpenAI Chat Completions": ["/v1/chat/completions", { messages: [ASKED] }],
  "OpenAI Responses": ["/v1/responses", { input: "Look." }],
  Anthropic: ["/v1/messages", { max_tokens: 100, messages: [ASKED] }],
  Gemini: [
    "/v1beta/models/explorer:generateContent",
    { contents: [{ role: "user", parts: [{ text: ASKED.content }] }] },
  ],
} as const;

const CALLING = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: CALLED }],
};
const ANSWERED = { role: "tool", tool_call_id: "call_1", content: "a.txt" };
const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1";
const UNASKED =
  "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls': call_1";

const PATH = { type: "string" };
const CLOSED = { type: "object", additionalProperties: false };
const strict = (parameters: object) => ({
  tools: [{ type: "function", name: "list_dir", parameters, strict: true }],
});
const schema = (context: string, reason: string) =>
  `Invalid schema for function 'list_dir': In context=(${context}), ${reason}.`;
const OPEN = "'additionalProperties' is required to be supplied and to be false";

const USE = {
  role: "assistant",
  content: [{ type: "tool_use", id: "toolu_1", name: "list_dir", input: {} }],
};
const RESULT = { type: "tool_result", tool_use_id: "toolu_1", content: "a.txt" };
const TOOL = { name: "list_dir", input_schema: { type: "object" } };

const QUESTION = { role: "user", parts: [{ text: ASKED.content }] };
const PARTS = ["call_1", "2"].map((id) => ({ functionCall: { id, name: "list_dir", args: {} } }));
const RESPONSE = {
  functionResponse: { id: "call_1", name: "list_dir", response: { output: "a.txt" } },
};

const CASES: Readonly<Record<keyof typeof PROVIDERS, readonly [string, object, string][]>> = {
  "OpenAI Chat Completions": [
    ["a call without an answer", { messages: [ASKED, CALLING, ASKED] }, UNANSWERED],
    ["a call at the end", { messages: [ASKED, CALLING] }, UNANSWERED],
    ["an answer without a call", { messages: [ASKED, ANSWERED] }, UNASKED],
    ["an answer that comes twice", { messages: [ASKED, CALLING, ANSWERED, ANSWERED] }, UNASKED],
    ["nothing at all", { messages: [] }, "Invalid 'messages': empty array."],
  ],
  "OpenAI Responses": [
    [
      "a call without an output",
      { input: [ASKED, { type: "function_call", call_id: "call_1", ...CALLED }] },
      "No tool output found for function call call_1.",
    ],
    [
      "an output without a call",
      { input: [ASKED, { type: "function_call_output", call_id: "call_1", output: "a.txt" }] },
      "No tool call found for function call output with call_id call_1.",
    ],
    [
      "an unknown response",
      { previous_response_id: "resp_0" },
      "Previous response with id 'resp_0' not found.",
    ],
    [
      "a schema that takes other properties",
      strict({ type: "object", properties: { path: PATH }, required: ["path"] }),
      schema("", OPEN),
    ],
    [
      "a schema with an optional property",
      strict({ ...CLOSED, properties: { path: PATH }, required: [] }),
      schema(
        "",
        "'required' is required to be supplied and to be an array including every key in properties. Missing 'path'",
      ),
    ],
    [
      "a schema with a default",
      strict({ ...CLOSED, properties: { path: { ...PATH, default: "." } }, required: ["path"] }),
      schema("properties, path", "'default' is not permitted"),
    ],
    [
      "a schema with an object inside that takes other properties",
      strict({
        ...CLOSED,
        properties: { block: { type: ["object", "null"], properties: {} } },
        required: ["block"],
      }),
      schema("properties, block", OPEN),
    ],
  ],
  Anthropic: [
    [
      "a call without a result",
      { messages: [ASKED, USE, ASKED] },
      "messages: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ],
    [
      "a result without a call",
      { messages: [ASKED, { role: "user", content: [RESULT] }] },
      "messages: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    ],
    [
      "a result after other content",
      {
        messages: [
          ASKED,
          USE,
          { role: "user", content: [{ type: "text", text: "Here it is:" }, RESULT] },
        ],
      },
      "messages.2: `tool_result` blocks must come before all other content",
    ],
    [
      "an error without a text",
      {
        messages: [
          ASKED,
          USE,
          { role: "user", content: [{ ...RESULT, content: "", is_error: true }] },
        ],
      },
      "messages.2: content cannot be empty if `is_error` is true",
    ],
    [
      "a conversation that the model begins",
      { messages: [{ role: "assistant", content: "Hello." }] },
      "messages: first message must use the user role",
    ],
    [
      "an invalid name",
      { tools: [{ ...TOOL, name: "repo.list_dir" }] },
      'Invalid tool name "repo.list_dir": it must match ^[a-zA-Z0-9_-]{1,64}$.',
    ],
    [
      "two tools with the same name",
      { tools: [TOOL, TOOL] },
      'Tool names must be unique: "list_dir" is there twice.',
    ],
  ],
  Gemini: [
    [
      "fewer answers than calls",
      {
        contents: [QUESTION, { role: "model", parts: PARTS }, { role: "user", parts: [RESPONSE] }],
      },
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    ],
    [
      "an answer without a call",
      { contents: [QUESTION, { role: "user", parts: [RESPONSE] }] },
      "Please ensure that function response turn comes immediately after a function call turn.",
    ],
    [
      "a content without parts",
      { contents: [QUESTION, { role: "user", parts: [] }] },
      "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.",
    ],
    [
      "an invalid name",
      {
        tools: [
          {
            functionDeclarations: [{ name: "list dir", parametersJsonSchema: { type: "object" } }],
          },
        ],
      },
      'Invalid tool name "list dir": it must match ^[a-zA-Z0-9_-]{1,64}$.',
    ],
  ],
};

describe("a scripted provider refuses, and says why:", () => {
  for (const [name, [path, body]] of Object.entries(PROVIDERS)) {
    for (const [what, changed, message] of CASES[name as keyof typeof PROVIDERS]) {
      test(`${name}, ${what}`, async () => {
        const response = await fetch(`${providers.origin}${path}`, {
          method: "POST",
          headers: { authorization: "Bearer sk", "x-goog-api-key": "sk" },
          body: JSON.stringify({ model: "explorer", ...body, ...changed }),
        });
        const told = (await response.json()).error.message;
        assert.deepEqual(
          [response.status, told, providers.takeRecorded().map(({ refusal }) => refusal)],
          [400, message, [message]],
        );
      });
    }
  }
});

test("the models are listed for the client libraries", async () => {
  const openai = new OpenAI({ baseURL: `${providers.origin}/v1`, apiKey: "sk", maxRetries: 0 });
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
