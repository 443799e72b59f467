import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import type { TreeglassClient } from "../src/client/client.ts";
import { type RunEnd, runAgent } from "../src/playground/agent/agent-loop.ts";
import type { AgentModel } from "../src/playground/agent/agent-model.ts";
import { findProvider, type ProviderName } from "../src/playground/agent/providers.ts";
import { startProviders } from "./providers/server.ts";
import { PROJECT, startRealClient } from "./support/real-client.ts";

let client: TreeglassClient;

before(async () => {
  client = await startRealClient(PROJECT);
});

after(() => client.close());

/** Answers each request with the next stream; leaves a stream that breaks off open. */
async function serve(...streams: readonly { readonly text: string; readonly isOpen?: boolean }[]) {
  const left = [...streams];
  const bodies: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part);
    }
    bodies.push(Buffer.concat(parts).toString());
    keys.push(request.headers.authorization);
    const stream = left.shift();
    assert.ok(stream);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(stream.text);
    if (stream.isOpen !== true) {
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  assert.ok(bound !== null && typeof bound === "object");
  return {
    address: `http://127.0.0.1:${bound.port}`,
    bodies,
    keys,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function open(provider: ProviderName, address: string, model = "m", key = "sk-1") {
  const context = { client, systemPrompt: "Look.", toolsetOptions: {} };
  return findProvider(provider).create({ address, model, key }, context);
}

async function ask(model: AgentModel, question = "What is in /repo?") {
  const turns: { text: string; calls: unknown; isWhole: boolean }[] = [];
  model.ask(question);
  const end: RunEnd = await runAgent(
    model,
    {
      onTurnBegun: () => {},
      onText: () => {},
      onRetry: () => {},
      onTurnEnded: ({ text, calls, isWhole }) => turns.push({ text, calls, isWhole }),
      onCallsEnded: () => {},
    },
    { signal: new AbortController().signal, maxTurns: 1 },
  );
  return { turns, end };
}

async function askOnce(provider: ProviderName, text: string, isOpen = false) {
  const server = await serve({ text, isOpen });
  try {
    return { origin: server.address, ...(await ask(await open(provider, server.address))) };
  } finally {
    server.close();
  }
}

const lines = (...events: readonly (object | string)[]) =>
  events
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");

const openAiChunk = (delta: object, finish_reason: string | null = null) => ({
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});

const anthropicEvents = (...events: readonly { readonly type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

const ANTHROPIC_START = {
  type: "message_start",
  message: {
    ...{ id: "1", type: "message", role: "assistant", model: "m", content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
  },
};

const ANTHROPIC_TEXT = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "It is" } },
  { type: "content_block_stop", index: 0 },
];

const anthropicEnd = (stop_reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 1 },
  },
  { type: "message_stop" },
];

const openAiStream = (reason: string, text?: string) =>
  lines(
    ...(text === undefined ? [] : [openAiChunk({ content: text })]),
    openAiChunk({}, reason),
    "[DONE]",
  );

const geminiStream = (finishReason: string, text?: string) =>
  lines({
    candidates: [
      {
        ...(text === undefined ? {} : { content: { role: "model", parts: [{ text }] } }),
        finishReason,
      },
    ],
  });

describe("an error in the middle of an answer", () => {
  const half = { text: "It is", calls: [], isWhole: false };
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  for (const [provider, text, detail] of [
    [
      "openai",
      lines(openAiChunk({ content: "It is" }), {
        error: { message: "model runner has unexpectedly stopped" },
      }),
      "model runner has unexpectedly stopped",
    ],
    ["anthropic", anthropicEvents(ANTHROPIC_START, ...ANTHROPIC_TEXT, overloaded), "Overloaded"],
  ] as const) {
    test(`is reported in the provider's own words, behind ${provider}`, async () => {
      const { origin, ...report } = await askOnce(provider, text, true);
      const sentence = `${origin} broke off its answer: ${detail}. The fault is there, not in this page; ask again in a moment.`;
      assert.deepEqual(report, { turns: [half], end: { kind: "failed", sentence } });
    });
  }
});

describe("an answer that the provider ends early", () => {
  const blocked = lines({ promptFeedback: { blockReason: "SAFETY" } });
  for (const [provider, reason, text] of [
    ["openai", "length", openAiStream("length", "It is")],
    [
      "anthropic",
      "max_tokens",
      anthropicEvents(ANTHROPIC_START, ...ANTHROPIC_TEXT, ...anthropicEnd("max_tokens")),
    ],
    ["gemini", "MAX_TOKENS", geminiStream("MAX_TOKENS", "It is")],
  ] as const) {
    test(`is incomplete, with the reason: ${reason} behind ${provider}`, async () => {
      const { origin, ...report } = await askOnce(provider, text);
      const sentence = `The answer is incomplete: ${origin} ended it early (${reason}). Tell it to go on, or ask for less.`;
      assert.deepEqual(report, {
        turns: [{ text: "It is", calls: [], isWhole: false }],
        end: { kind: "cut", sentence },
      });
    });
  }

  for (const [provider, reason, text] of [
    ["openai", "content_filter", openAiStream("content_filter")],
    ["anthropic", "refusal", anthropicEvents(ANTHROPIC_START, ...anthropicEnd("refusal"))],
    ["gemini", "MALFORMED_FUNCTION_CALL", geminiStream("MALFORMED_FUNCTION_CALL")],
    ["gemini", "SAFETY", blocked],
  ] as const) {
    test(`fails if it is empty: ${reason} behind ${provider}`, async () => {
      const { origin, ...report } = await askOnce(provider, text);
      const sentence = `${origin} gave an empty answer (${reason}). Ask in other words or for less, or choose another model.`;
      assert.deepEqual(report, {
        turns: [{ text: "", calls: [], isWhole: false }],
        end: { kind: "failed", sentence },
      });
    });
  }
});

describe("calls that stream in pieces", () => {
  const begin = (index: number, id: string, name: string) =>
    openAiChunk({
      tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
    });
  const piece = (index: number, text: string) =>
    openAiChunk({ tool_calls: [{ index, function: { arguments: text } }] });
  for (const [what, indexes] of [
    ["all have the index 0", [0, 0, 0]],
    ["have indexes that begin at 1", [1, 2, 3]],
    ["have indexes that begin at 0", [0, 1, 2]],
  ] as const) {
    test(`are joined if they ${what}`, async () => {
      const chunks = indexes.flatMap((index, place) => [
        begin(index, `call_${place}`, "read_file"),
        piece(index, '{"file_path":'),
        piece(index, `"/repo/part-${place}.txt"}`),
      ]);
      const text = lines(...chunks, openAiChunk({}, "tool_calls"), "[DONE]");
      const { turns } = await askOnce("openai", text);
      const calls = [0, 1, 2].map((place) => ({
        ...{ callId: `call_${place}`, name: "read_file" },
        arguments: `{"file_path":"/repo/part-${place}.txt"}`,
      }));
      assert.deepEqual(turns, [{ text: "", calls, isWhole: true }]);
    });
  }

  test("are joined if the pieces of several calls alternate", async () => {
    const text = lines(
      ...[
        begin(0, "a", "LS"),
        begin(1, "b", "list_dir"),
        piece(0, "{"),
        piece(1, '{"dir'),
        piece(0, "}"),
      ],
      ...[piece(1, '_path":"/repo"}'), openAiChunk({}, "tool_calls"), "[DONE]"],
    );
    const { turns } = await askOnce("openai", text);
    const calls = [
      { callId: "a", name: "LS", arguments: "{}" },
      { callId: "b", name: "list_dir", arguments: '{"dir_path":"/repo"}' },
    ];
    assert.deepEqual(turns, [{ text: "", calls, isWhole: true }]);
  });
});

describe("a question that was never answered", () => {
  const count = (text: string, part: string) => text.split(part).length - 1;

  for (const provider of ["openai", "anthropic", "gemini"] as const) {
    test(`is sent only once when asked again, behind ${provider}`, async () => {
      const providers = await startProviders();
      const path = provider === "openai" ? "/v1" : "";
      const model = await open(provider, `${providers.origin}${path}`, "status-401");
      await ask(model, "Which one?");
      await ask(model, "Which one?");
      const bodies = providers.takeRecorded().map(({ body }) => JSON.stringify(body));
      assert.deepEqual(
        bodies.map((body) => count(body, "Which one?")),
        [1, 1],
      );
      await providers.close();
    });
  }
});

test("a corrected key is used from then on in the same conversation", async () => {
  const text = openAiStream("stop", "It is small.");
  const server = await serve({ text }, { text });
  const model = await open("openai", server.address);
  await ask(model, "Which one?");
  model.useKey?.("sk-2");
  await ask(model, "And now?");
  assert.deepEqual(server.keys, ["Bearer sk-1", "Bearer sk-2"]);
  assert.deepEqual(
    JSON.parse(server.bodies[1] ?? "").messages.map(({ content }: { content: string }) => content),
    ["Look.", "Which one?", "It is small.", "And now?"],
  );
  server.close();
});
