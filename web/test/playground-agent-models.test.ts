import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CallEvent } from "../src/adapters/toolset.ts";
import type { TreeglassClient } from "../src/client/client.ts";
import { type RunEnd, runAgent } from "../src/playground/agent/agent-loop.ts";
import type { AgentModel } from "../src/playground/agent/agent-model.ts";
import { EndpointFetch } from "../src/playground/agent/endpoint-fetch.ts";
import { findProvider, type ProviderName } from "../src/playground/agent/providers.ts";
import { writeSystemPrompt } from "../src/playground/agent/system-prompt.ts";
import { type Providers, startProviders } from "./providers/server.ts";
import { PROJECT, startRealClient } from "./support/real-client.ts";

const KEY = "sk-of-the-person";
const KEY_HEADERS = {
  openai: "authorization",
  anthropic: "authorization",
  gemini: "x-goog-api-key",
} as const;
const REMOTE = ["openai", "anthropic", "gemini"] as const;
const QUESTION = "What is in /repo?";

let client: TreeglassClient;
let providers: Providers;

before(async () => {
  client = await startRealClient(PROJECT);
  providers = await startProviders();
});

after(async () => {
  await client.close();
  await providers.close();
});

interface Opened {
  readonly model: AgentModel;
  readonly calls: CallEvent[];
}

async function open(
  provider: ProviderName,
  model: string,
  { address = providers.origin, silenceMs = 60_000 } = {},
): Promise<Opened> {
  const calls: CallEvent[] = [];
  const path = provider === "openai" ? "/v1" : "";
  const settings = {
    address: `${address}${path}`,
    model,
    key: KEY,
    firstByteMs: silenceMs,
    silenceMs,
  };
  const context = {
    client,
    systemPrompt: writeSystemPrompt({ mayChange: false }),
    toolsetOptions: { onCall: (event: CallEvent) => calls.push(event) },
  };
  return { model: await findProvider(provider).create(settings, context), calls };
}

/** Returns the events that a visitor sees, one per line. */
async function watch(
  { model, calls }: Opened,
  question: string,
  controller = new AbortController(),
  onLine: (line: string) => void = () => {},
): Promise<{ readonly lines: string[]; readonly end: RunEnd }> {
  const lines: string[] = [];
  let streamed = "";
  const say = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  model.ask(question);
  const end = await runAgent(
    model,
    {
      onTurnBegun: () => {
        streamed = "";
        onLine("turn");
      },
      onText: (delta) => {
        streamed += delta;
        onLine("text");
      },
      onRetry: (sentence) => say(`retry: ${sentence}`),
      onTurnEnded: ({ text, isWhole }) => {
        assert.equal(text, streamed);
        say(`${isWhole ? "turn" : "half a turn"}: ${text}`);
      },
      onCallsEnded: () => {
        const asked = calls.splice(0);
        for (const { name, outcome, isError, text } of asked) {
          say(`${name} ${outcome}${isError ? " error" : ""}: ${text.split("\n").at(-1)}`);
        }
      },
    },
    { signal: controller.signal },
  );
  return { lines, end };
}

const EXPLORATION = [
  "turn: I will look around.",
  "list_dir answered: More than 3 entries found",
  "turn: ",
  "list_dir answered: More than 3 entries found",
  "turn: ",
  "list_dir answered: More than 3 entries found",
  "turn: ",
  "list_dir answered: src/",
  "turn: ",
  "read_file answered error: failed to read file: No such file or directory (os error 2)",
  "turn: ",
  "read_file answered: L3: A tree for agents.",
  "turn: README.md begins with: # Sample",
];

for (const provider of REMOTE) {
  describe(`a model behind ${provider}`, () => {
    test("pages on, recovers from an error and answers", async () => {
      const report = await watch(await open(provider, "explorer"), QUESTION);
      assert.deepEqual(report, { lines: EXPLORATION, end: { kind: "answered" } });
    });

    test("keeps what it was told before the next question", async () => {
      const opened = await open(provider, "duplicate-ids");
      await watch(opened, QUESTION);
      providers.takeRecorded();
      const report = await watch(opened, "And now?");
      assert.equal(report.end.kind, "answered");
      const body = JSON.stringify(providers.takeRecorded()[0]?.body);
      assert.ok(body.indexOf(QUESTION) < body.indexOf("A tree for agents."));
      assert.ok(body.indexOf("A tree for agents.") < body.indexOf("And now?"));
    });

    for (const [model, sentence] of [
      ["status-401", "refused the key (401). Check the key, then ask again."],
      [
        "hangs",
        "sent nothing for 0.2 s, so the page stopped waiting. Ask again, or choose another model.",
      ],
      [
        "stalls-stream",
        "sent nothing for 0.2 s, so the page stopped waiting. Ask again, or choose another model.",
      ],
      [
        "drops-stream",
        "broke off in the middle of its answer. The part that arrived is above; ask again.",
      ],
    ] as const) {
      test(`says in one sentence that it ${model}, and takes the next question`, async () => {
        const opened = await open(provider, model, { silenceMs: 200 });
        const first = await watch(opened, QUESTION);
        const failed = { kind: "failed", sentence: `${providers.origin} ${sentence}` };
        assert.deepEqual(first.end, failed);
        const second = await watch(opened, "Are you there?");
        assert.deepEqual(second.end, failed);
      });
    }

    for (const [status, words] of [
      [
        429,
        "limits requests, or your credit is used up (429: The rate limit is reached). Wait a little, then ask again.",
      ],
      [
        500,
        "failed (500: The provider failed). The fault is there, not in this page; ask again in a moment.",
      ],
    ] as const) {
      test(`asks once more after a ${status}, and says so`, async () => {
        providers.takeRecorded();
        const report = await watch(await open(provider, `status-${status}`), QUESTION);
        assert.deepEqual(report, {
          lines: [
            `retry: ${providers.origin} answered ${status}; the page asks again.`,
            "half a turn: ",
          ],
          end: { kind: "failed", sentence: `${providers.origin} ${words}` },
        });
        assert.equal(providers.takeRecorded().length, 2);
      });
    }

    test("says that an address gives no answer", async () => {
      const address = "http://127.0.0.1:9";
      const { end } = await watch(await open(provider, "explorer", { address }), QUESTION);
      assert.deepEqual(end, {
        kind: "failed",
        sentence: `${address} gave no answer: the address is wrong, no server runs there, or the server refuses requests from pages (CORS). Check the endpoint; a local server has a setting for the origins that it allows.`,
      });
    });

    test("learns that a tool does not exist, and that types are wrong", async () => {
      const unknown = await watch(await open(provider, "unknown-tool"), QUESTION);
      assert.deepEqual(unknown.lines.slice(0, 2), [
        "turn: ",
        'delete_everything unknown error: There is no tool "delete_everything"; the tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file.',
      ]);
      const wrong = await watch(await open(provider, "wrong-types"), QUESTION);
      assert.equal(wrong.end.kind, "answered");
      assert.match(wrong.lines[1] ?? "", /^list_dir answered error: /);
    });

    test("runs ten calls at once", async () => {
      const { lines, end } = await watch(await open(provider, "ten-in-parallel"), QUESTION);
      const read = Array.from({ length: 10 }, (_, index) => {
        return `read_file answered: L1: This is part ${index}.`;
      });
      assert.deepEqual(lines.slice(1, -1).sort(), read);
      assert.deepEqual(end, { kind: "answered" });
    });

    test("goes on after a stop between its calls", async () => {
      const opened = await open(provider, "explorer");
      const controller = new AbortController();
      const stopped = await watch(opened, QUESTION, controller, (line) => {
        if (line.startsWith("turn: I will")) {
          controller.abort();
        }
      });
      assert.deepEqual(stopped.end, { kind: "stopped" });
      const { lines, end } = await watch(opened, QUESTION);
      assert.deepEqual({ lines, end }, { lines: EXPLORATION, end: { kind: "answered" } });
    });

    test("sends the key only to its own endpoint", async () => {
      providers.takeRecorded();
      await watch(await open(provider, "answers-at-once"), QUESTION);
      const carriers = providers.takeRecorded().map(({ path, headers, body }) => ({
        path: path.includes(KEY),
        headers: Object.keys(headers).filter((name) => String(headers[name]).includes(KEY)),
        body: JSON.stringify(body).includes(KEY),
      }));
      assert.deepEqual(carriers, [{ path: false, headers: [KEY_HEADERS[provider]], body: false }]);
    });
  });
}

describe("arguments that a stream breaks off", () => {
  for (const provider of ["openai", "anthropic"] as const) {
    test(`are answered with the tool's own error, behind ${provider}`, async () => {
      const { lines, end } = await watch(await open(provider, "malformed-arguments"), QUESTION);
      assert.equal(end.kind, "answered");
      assert.match(lines[1] ?? "", /^list_dir answered error: /);
    });
  }
});

test("a redirect is not followed, so that its target gets no key", async () => {
  const elsewhere = await startProviders();
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `${elsewhere.origin}/v1/chat/completions` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  const bound = redirecting.address();
  assert.ok(bound !== null && typeof bound === "object");
  const address = `http://127.0.0.1:${bound.port}`;
  const { end } = await watch(await open("openai", "explorer", { address }), QUESTION);
  assert.equal(end.kind, "failed");
  assert.deepEqual(elsewhere.takeRecorded(), []);
  await elsewhere.close();
  redirecting.closeAllConnections();
  redirecting.close();
});

test("an endpoint that serves a web page is reported as one", async () => {
  const page = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  });
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  const bound = page.address();
  assert.ok(bound !== null && typeof bound === "object");
  const address = `http://127.0.0.1:${bound.port}`;
  const { end } = await watch(await open("openai", "explorer", { address }), QUESTION);
  assert.deepEqual(end, {
    kind: "failed",
    sentence: `${address} gave an unusable answer: it is a web page. Check that the endpoint speaks the chosen protocol, then ask again.`,
  });
  page.closeAllConnections();
  page.close();
});

test("a stalled answer is given up also after its request was collected as garbage", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: first\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const origin = `http://127.0.0.1:${address.port}`;
  const endpoint = new EndpointFetch({ address: origin, key: KEY, silenceMs: 200 });
  const collecting = setInterval(collectGarbage, 20);
  try {
    const begin = async () => (await endpoint.fetch(origin)).body?.getReader();
    const reader = await begin();
    await reader?.read();
    await assert.rejects(async () => await reader?.read(), { name: "AbortError" });
    assert.equal(
      endpoint.wordBrokenAnswer().message,
      `${origin} sent nothing for 0.2 s, so the page stopped waiting. Ask again, or choose another model.`,
    );
  } finally {
    clearInterval(collecting);
    server.closeAllConnections();
    server.close();
  }
});
