import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { isRecord } from "../../src/lib/checks.ts";
import { createChatModel } from "../../src/playground/model/chat-model.ts";
import { ChatWire } from "../../src/playground/model/chat-wire.ts";
import { findPreset, PRESETS } from "../../src/playground/model/presets.ts";
import { addUsage, formatTokens, NO_USAGE, wordUsage } from "../../src/playground/model/usage.ts";
import { type Providers, startProviders } from "../providers/server.ts";
import { startRealClient } from "../support/real-client.ts";

const KEY = "sk-of-the-person";
const { signal } = new AbortController();

let client: TreeglassClient;
let providers: Providers;

before(async () => {
  client = await startRealClient();
  providers = await startProviders();
});

after(async () => {
  await client.close();
  await providers.close();
});

describe("a request", () => {
  const own = { "anthropic-dangerous-direct-browser-access": "true" };
  const bearer = { authorization: `Bearer ${KEY}` };
  for (const preset of PRESETS) {
    test(`has what ${preset.label} needs`, async () => {
      const endpoint = { preset, address: `${providers.origin}/v1/`, key: KEY };
      const toolsetOptions = { allow: ["grep_files", "list_directory"] };
      const context = { client, systemPrompt: "Look.", toolsetOptions };
      const model = await createChatModel(endpoint, "answers-at-once", context, () => undefined);
      model.ask("Which?", endpoint.key);
      const ignore = () => undefined;
      await model.takeTurn({ signal, onText: ignore, onRetry: ignore });
      await new ChatWire(endpoint).listModels(signal);
      const [asked, listed] = providers.takeRecorded();
      const named = [...Object.keys(own), "authorization", "x-api-key", "anthropic-version"];
      const sent = (headers: object = {}) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => named.includes(name)));
      const isAnthropic = preset.name === "anthropic";
      const version = { "anthropic-version": "2023-06-01", "x-api-key": KEY };
      assert.deepEqual(
        [asked?.path, sent(asked?.headers), listed?.path, sent(listed?.headers)],
        [
          "/v1/chat/completions",
          { ...bearer, ...(isAnthropic ? own : {}) },
          "/v1/models",
          isAnthropic ? { ...own, ...version } : bearer,
        ],
      );
      const { tools, ...body } = isRecord(asked?.body) ? asked.body : {};
      assert.deepEqual(body, {
        model: "answers-at-once",
        messages: [
          { role: "system", content: "Look." },
          { role: "user", content: "Which?" },
        ],
        stream: true,
        stream_options: { include_usage: true },
      });
      const isPlain = preset.name === "gemini";
      const words = ["additionalProperties", '"strict"', '"null"', '"default"'];
      const found = words.map((word) => JSON.stringify(tools).includes(word));
      assert.deepEqual(found, isPlain ? [false, false, false, false] : [true, true, true, false]);
    });
  }

  test("has no key if the server needs none", async () => {
    const endpoint = { preset: findPreset("ollama"), address: `${providers.origin}/v1`, key: "" };
    await new ChatWire(endpoint).listModels(signal);
    const recorded = providers.takeRecorded();
    assert.deepEqual(
      recorded.map(({ path, headers }) => [path, headers.authorization]),
      [["/v1/models", undefined]],
    );
  });
});

/** Answers each request by the next of these; returns what the page got from the first question. */
async function askServer(...answers: readonly ((response: ServerResponse) => void)[]) {
  let count = 0;
  const server = createServer((_request, response) => {
    answers[count]?.(response);
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const port = bound === null || typeof bound === "string" ? 0 : bound.port;
  const address = `http://127.0.0.1:${port}`;
  const heard: string[] = [];
  const hear = (line: string) => heard.push(line.replaceAll(address, "SERVER"));
  try {
    const wire = new ChatWire({ preset: findPreset("own"), address, key: KEY });
    const options = { signal, onText: hear, onRetry: hear };
    const { text, calls, cutReason, usage } = await wire.complete({}, options);
    return { heard, text, calls, cutReason, usage };
  } catch (error) {
    return { heard, failure: String(error).replaceAll(address, "SERVER") };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const refuse =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(`{"error": {"message": "Busy with ${KEY}."}}`);

const stream =
  (...parts: readonly object[]) =>
  (response: ServerResponse) => {
    const events = parts.map((part) => `data: ${JSON.stringify(part)}\r\n\r\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`: comment\n\n${events.join("")}data: [DONE]\n\n`);
  };

const part = (delta: object, finish_reason: string | null = null) => {
  return { choices: [{ index: 0, delta, finish_reason }] };
};
const READY = [part({ content: "Rea" }), part({ content: "dy." }), part({}, "stop")];
const ANSWER = { text: "Ready.", calls: [], cutReason: null };

describe("an answer", () => {
  test("is asked for again while the server is busy", async () => {
    const answer = await askServer(
      refuse(429, { "retry-after": "0" }),
      refuse(503, { "retry-after-ms": "1" }),
      stream(...READY),
    );
    const heard = [
      "SERVER answered 429; the page asks again in 0 s.",
      "SERVER answered 503; the page asks again in 1 s.",
      ...["Rea", "dy."],
    ];
    assert.deepEqual(answer, { heard, ...ANSWER, usage: null });
  });

  test("is given up if the wait is too long, without the key in the words", async () => {
    assert.deepEqual(await askServer(refuse(429, { "retry-after": "3600" })), {
      heard: [],
      failure:
        "ModelFailure: SERVER limits requests, or your credit is used up (429: Busy with …). Wait a little, then ask again.",
    });
  });

  test("may come whole instead of in parts", async () => {
    const choices = [{ message: { content: "Ready." }, finish_reason: "stop" }];
    const body = JSON.stringify({ choices, usage: { prompt_tokens: 7, completion_tokens: 2 } });
    const answer = await askServer((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    const usage = { sentTokens: 7, receivedTokens: 2 };
    assert.deepEqual(answer, { heard: ["Ready."], ...ANSWER, usage });
  });

  test("has the server's last count of tokens, and says that it was cut", async () => {
    const answer = await askServer(
      stream(
        { ...part({ refusal: "No" }), usage: { prompt_tokens: 9, completion_tokens: 1 } },
        part({}, "length"),
        { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } },
      ),
    );
    const usage = { sentTokens: 9, receivedTokens: 4 };
    assert.deepEqual(answer, { heard: ["No"], text: "No", calls: [], cutReason: "length", usage });
  });

  test("has every call, even if the server gives each the same index", async () => {
    const begin = (id: string) => ({ index: 0, id, function: { name: "LS", arguments: "" } });
    const more = (text: string) => ({ index: 0, function: { arguments: text } });
    const signed = { ...begin("b"), extra_content: { google: { thought_signature: "s" } } };
    const answer = await askServer(
      stream(
        part({ tool_calls: [begin("a")] }),
        part({ tool_calls: [more('{"pa'), more('th":"."}')] }),
        part({ tool_calls: [signed, more("{}")] }),
        part({}, "tool_calls"),
      ),
    );
    const call = (id: string, args: string) => {
      return { id, type: "function", function: { name: "LS", arguments: args } };
    };
    const { extra_content } = signed;
    const calls = [call("a", '{"path":"."}'), { ...call("b", "{}"), extra_content }];
    assert.deepEqual(answer, { heard: [], text: "", calls, cutReason: null, usage: null });
  });

  const refusals = [
    [
      400,
      "API key not valid. Please pass a valid API key.",
      "SERVER refused the key (400). Check that it is whole and is a key of this server, then ask again.",
    ],
    [
      401,
      "CORS requests are not allowed for this Organization because of its settings.",
      "SERVER lets no page use this key (401): the settings of its organization forbid it. Use a key of another account.",
    ],
    [
      400,
      "small is not a valid model ID",
      "SERVER has no such address or model (400: small is not a valid model ID). Check both; List models shows the names that it has.",
    ],
    [
      400,
      "small does not support tools",
      "SERVER refused the request (400: small does not support tools). Try another model or a new conversation.",
    ],
  ] as const;
  for (const [status, message, failure] of refusals) {
    test(`of ${status} with '${message}' says what to do`, async () => {
      const answer = await askServer((response) =>
        response.writeHead(status).end(JSON.stringify({ error: { message } })),
      );
      assert.deepEqual(answer, { heard: [], failure: `ModelFailure: ${failure}` });
    });
  }

  const broken = [
    [
      "an error in the stream",
      [part({ content: "Rea" }), { error: { message: "Overloaded." } }],
      "SERVER broke off its answer: Overloaded. The fault is there, not in this page; ask again in a moment.",
    ],
    [
      "no end",
      [part({ content: "Rea" })],
      "SERVER broke off in the middle of its answer. The part that arrived is above; ask again.",
    ],
  ] as const;
  for (const [what, parts, failure] of broken) {
    test(`with ${what} is a failure in words`, async () => {
      const answer = await askServer(stream(...parts));
      assert.deepEqual(answer, { heard: ["Rea"], failure: `ModelFailure: ${failure}` });
    });
  }
});

describe("the tokens of a conversation", () => {
  test("are sums in words, with the price that the visitor typed", () => {
    const first = addUsage(NO_USAGE, { sentTokens: 12_000, receivedTokens: 400 });
    const totals = addUsage(first, { sentTokens: 12_350, receivedTokens: 50 });
    const words = "context 12.4k tokens · sent in total 24.4k · received 450";
    assert.equal(wordUsage(totals, { sent: null, received: null }), words);
    assert.equal(wordUsage(totals, { sent: 3, received: 15 }), `${words} · about $0.08`);
    assert.equal(wordUsage(totals, { sent: 0.1, received: null }), `${words} · less than $0.01`);
    assert.equal(
      wordUsage(NO_USAGE, { sent: 1, received: 1 }),
      "The server has counted no tokens yet.",
    );
    assert.deepEqual([999, 31_000, 999_600].map(formatTokens), ["999", "31k", "1M"]);
  });
});
