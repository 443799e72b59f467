import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Content, type GenerateContentParameters, GoogleGenAI } from "@google/genai";
import { geminiTools } from "../../src/adapters/gemini.ts";
import { CallLog, heard, QUESTION, startForAllTests } from "../providers/exploration.ts";

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

/** Returns the last chunk's content. */
const streamed: Ask = async (request) => {
  let last: Content | null = null;
  for await (const { candidates } of await sdk().models.generateContentStream(request)) {
    last = candidates?.[0]?.content ?? last;
  }
  return last;
};

describe("a provider that fails calls no tool", () => {
  /** Sends one question; returns the library's result, its number of requests, and the calls. */
  async function outcomeOf(name: string, ask: Ask) {
    const log = new CallLog();
    let thrown: unknown = null;
    try {
      const { tools, answer } = await geminiTools(started.client, { onCall: log.onCall });
      await answer(await ask({ model: name, contents: QUESTION, config: { tools } }));
    } catch (error) {
      thrown = error;
    }
    assert.ok(thrown instanceof Error);
    const asked = started.providers.takeRecorded().length;
    return [thrown.constructor.name, thrown.message, asked, log.calls];
  }

  const body = (code: number, message: string, status: string) =>
    JSON.stringify({ error: { code, message, status } });

  const failures = [
    ["status-401", body(401, "The key is not valid.", "UNAUTHENTICATED")],
    ["status-429", body(429, "The rate limit is reached.", "RESOURCE_EXHAUSTED")],
    ["status-500", body(500, "The provider failed.", "INTERNAL")],
  ] as const;

  for (const [name, message] of failures) {
    test(`with ${name.replace("status-", "")}`, async () => {
      started.providers.takeRecorded();
      assert.deepEqual(await outcomeOf(name, plain), ["ApiError", message, 1, []]);
    });
  }

  test("by never answering", async () => {
    const impatient: Ask = (request) =>
      plain({ ...request, config: { ...request.config, httpOptions: { timeout: 500 } } });
    assert.deepEqual(await outcomeOf("hangs", impatient), [
      "DOMException",
      "This operation was aborted",
      1,
      [],
    ]);
  });

  test("by dropping a stream", async () => {
    assert.deepEqual(await outcomeOf("drops-stream", streamed), ["TypeError", "terminated", 1, []]);
  });

  test("when the person stops in the middle of a stream", async () => {
    const controller = new AbortController();
    const stopped: Ask = async (request) => {
      const config = { ...request.config, abortSignal: controller.signal };
      for await (const _ of await sdk().models.generateContentStream({ ...request, config })) {
        controller.abort();
      }
      return null;
    };
    assert.deepEqual(await outcomeOf("stalls-stream", stopped), [
      "DOMException",
      "This operation was aborted",
      1,
      [],
    ]);
  });
});

test("stopped calls reject with the reason, and the host gets an event for each", async () => {
  const log = new CallLog();
  const controller = new AbortController();
  const reason = new Error("The person pressed stop.");
  const { answer } = await geminiTools(started.client, {
    onCall: (event) => {
      log.onCall(event);
      controller.abort(reason);
    },
  });
  const args = { file_path: "/repo/part-0.txt" };
  const parts = ["call_1", "call_2"].map((id) => ({
    functionCall: { id, name: "read_file", args },
  }));
  await assert.rejects(answer({ parts }, { signal: controller.signal }), reason);
  await log.reached(2);
  assert.deepEqual(log.calls, [
    heard("read_file", "call_1", args, "L1: This is part 0."),
    heard("read_file", "call_2", args, "", { outcome: "aborted", isError: true }),
  ]);
});

describe("the provider refuses, and says why,", () => {
  const asked = { role: "user", parts: [{ text: QUESTION }] };
  const call = { functionCall: { id: "call_1", name: "list_dir", args: {} } };
  const calling = {
    role: "model",
    parts: [call, { functionCall: { ...call.functionCall, id: "2" } }],
  };
  const response = { output: "a.txt" };
  const answered = { functionResponse: { id: "call_1", name: "list_dir", response } };
  const schema = { type: "object" };

  const cases: readonly [string, Partial<GenerateContentParameters>, string][] = [
    [
      "fewer answers than calls",
      { contents: [asked, calling, { role: "user", parts: [answered] }] },
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    ],
    [
      "an answer without a call",
      { contents: [asked, { role: "user", parts: [answered] }] },
      "Please ensure that function response turn comes immediately after a function call turn.",
    ],
    [
      "a content without parts",
      { contents: [asked, { role: "user", parts: [] }] },
      "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.",
    ],
    [
      "an invalid name",
      {
        config: {
          tools: [{ functionDeclarations: [{ name: "list dir", parametersJsonSchema: schema }] }],
        },
      },
      'Invalid tool name "list dir": it must match ^[a-zA-Z0-9_-]{1,64}$.',
    ],
  ];
  for (const [what, changed, message] of cases) {
    test(what, async () => {
      const error = { error: { code: 400, message, status: "INVALID_ARGUMENT" } };
      await assert.rejects(plain({ model: "explorer", contents: [asked], ...changed }), {
        status: 400,
        message: JSON.stringify(error),
      });
      assert.deepEqual(
        started.providers.takeRecorded().map(({ refusal }) => refusal),
        [message],
      );
    });
  }
});
