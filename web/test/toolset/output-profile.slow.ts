import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import {
  callWithin,
  estimateTokens,
  OUTPUT_PROFILES,
  type OutputProfile,
  type RenderedResult,
  sizeBytes,
} from "../../src/adapters/output-profile.ts";
import { createToolset, type ToolsetOptions } from "../../src/adapters/toolset.ts";
import type { ToolResult } from "../../src/protocol/tools.ts";
import { startRealClient } from "../support/real-client.ts";

/** More entries than the largest budget holds. */
const COUNT = 8_000;

/** The same numbers in every run, so that a failure can be repeated. */
function* randomNumbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const random = randomNumbers(20_261_122);
const below = (limit: number) => Math.floor(random.next().value * limit);

const CHARACTERS = [
  "a",
  "Z",
  "0",
  "_",
  "é",
  "漢",
  "🌳",
  '"',
  "\\",
  "\u202e",
  "\n",
  " ",
  "\u{e0041}",
];

function hostileName(index: number): string {
  const length = 1 + below(40);
  const name = Array.from({ length }, () => CHARACTERS[below(CHARACTERS.length)]).join("");
  return `${name}${index}`;
}

function numberedEntries(directory: string, count: number, name: (index: number) => string) {
  return Array.from({ length: count }, (_, index) => [`${directory}/${name(index)}`, ""] as const);
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const ENTRIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([
    ...numberedEntries("many", COUNT, (index) => `file-${index}.txt`),
    ...numberedEntries("astral", 500, (index) => `${"🌳".repeat(60)}${index}`),
    ...numberedEntries("quoted", 500, (index) => `"\\"\\"\\${index}`),
    ...numberedEntries("hostile", 400, hostileName),
  ]),
  "one-line.txt": "a".repeat(1_000_000),
  "code.py": lines(3_000, (index) => `    def method_${index}(self) -> "str":  # comment`),
  "漢字.txt": lines(3_000, (index) => "漢字かな交じり文".repeat(1 + (index % 9))),
  "escapes.txt": lines(3_000, (index) => `\u202e"\\\t${index}`),
};

const SEARCHES = new Map([
  ["list_dir", "; to find one place, call grep_files"],
  ["LS", "; to find one place, call Grep"],
  ["list_directory", "; to find one place, call Search"],
]);

const CALLS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ...["many", "astral", "quoted", "hostile"].flatMap((name) => [
    ["list_dir", { dir_path: `/repo/${name}`, limit: COUNT }] as const,
    ["LS", { path: `/repo/${name}`, limit: 200 }] as const,
    ["list_directory", { path: name, max_entries: 500 }] as const,
  ]),
  ...["one-line.txt", "code.py", "漢字.txt", "escapes.txt"].map(
    (name) => ["read_file", { file_path: `/repo/${name}` }] as const,
  ),
];

const MEASURES = {
  characters: (text: string) => text.length,
  bytes: sizeBytes,
  tokens: estimateTokens,
};

/** The forms in which hosts pass on an answer. */
const RENDERINGS: Readonly<Record<string, (result: ToolResult) => string>> = {
  "the text": ({ content }) => content,
  "JSON of the text": ({ content, isError }) => JSON.stringify({ content, isError }),
  "JSON of all": ({ content, structuredContent }) => JSON.stringify({ content, structuredContent }),
};

const client = await startRealClient(ENTRIES);
after(() => client.close());

describe("an output profile over the shipped tools", () => {
  async function within(
    profile: OutputProfile,
    [tool, args]: (typeof CALLS)[number],
    render: (result: ToolResult) => string = ({ content }) => content,
  ): Promise<{ rendered: RenderedResult | null; calls: number }> {
    let calls = 0;
    const rendered = await callWithin(
      profile,
      (maxOutputBytes) => {
        calls += 1;
        return client.callTool(tool, args, { maxOutputBytes });
      },
      render,
    );
    return { rendered, calls };
  }

  for (const [name, profile] of Object.entries(OUTPUT_PROFILES)) {
    for (const [kind, render] of Object.entries(RENDERINGS)) {
      test(`${name} is never exceeded and seldom wasted by ${kind}`, async () => {
        for (const call of CALLS) {
          const { rendered, calls } = await within(profile, call, render);
          const what = JSON.stringify(call);
          assert.ok(rendered, what);
          const size = MEASURES[profile.unit](rendered.text);
          assert.ok(size <= profile.max, `${what}: ${size}`);
          assert.ok(calls <= 3, `${what}: ${calls} calls`);
          const { content, truncated, nextArguments, structuredContent, isError, warnings } =
            rendered.result;
          assert.equal(rendered.text, render(rendered.result));
          // What no further call can show, such as the rest of a long line, has a warning.
          const isExplained = nextArguments !== null || warnings.length > 0;
          assert.ok(!truncated || isExplained || call[0] === "list_directory", what);
          if (structuredContent !== null && !isError) {
            // A cut answer is still whole JSON, and equals the structured content.
            assert.deepEqual(JSON.parse(content), structuredContent, what);
          }
        }
      });
    }
  }

  test("a budget that no answer fits is given up after one call", async () => {
    const tiny = { unit: "characters", max: 60 } as const;
    const all = await within(tiny, ["LS", { path: "/repo/many" }]);
    assert.deepEqual(all, { rendered: null, calls: 1 });
    const toolset = await createToolset(client, { output: tiny });
    assert.deepEqual(await toolset.call("LS", { path: "/repo/many" }), {
      text: "No answer fits into 60 characters; ask for less at once.",
      isError: true,
      result: null,
    });
  });

  test("an answer that fits at once takes one call in every unit", async () => {
    for (const unit of ["characters", "bytes", "tokens"] as const) {
      const whole = await client.callTool("list_dir", { dir_path: "/repo", depth: 1 });
      const { rendered, calls } = await within({ unit, max: 10_000 }, [
        "list_dir",
        { dir_path: "/repo", depth: 1 },
      ]);
      assert.deepEqual([rendered?.text, calls], [whole.content, 1]);
    }
  });

  test("a budget too small for the next entry takes no second call", async () => {
    const call = ["LS", { path: "/repo/many", limit: 3 }] as const;
    const { rendered, calls } = await within({ unit: "tokens", max: 25_000 }, call);
    assert.deepEqual([rendered?.result.truncated, calls], [true, 1]);
  });

  test("random budgets of every unit are kept", async () => {
    const units = ["characters", "bytes", "tokens"] as const;
    for (let round = 0; round < 60; round += 1) {
      const profile = { unit: units[below(3)] ?? "bytes", max: 1 + below(6_000) };
      const call = CALLS[below(CALLS.length)] ?? ["LS", {}];
      const render = Object.values(RENDERINGS)[below(3)] ?? (({ content }) => content);
      const { rendered } = await within(profile, call, render);
      const size = rendered === null ? 0 : MEASURES[profile.unit](rendered.text);
      assert.ok(size <= profile.max, `${round}: ${size} of ${JSON.stringify([profile, call])}`);
    }
  });

  describe("followed by the next call that each answer names", () => {
    /** Makes all next calls; returns the texts. */
    async function pages(
      name: string,
      first: Readonly<Record<string, unknown>>,
      max = 1_500,
    ): Promise<string[]> {
      const output = { unit: "characters", max } as const;
      const toolset = await createToolset(client, { output });
      const texts: string[] = [];
      let args: Readonly<Record<string, unknown>> | null = first;
      while (args !== null) {
        const { text, isError, result } = await toolset.call(name, args);
        assert.ok(!isError && result && text.length <= max, text);
        texts.push(text);
        args = result.nextArguments;
      }
      return texts;
    }

    const isEntry = (line: string) => !/^(Absolute path: |More than \d+ entries found)/.test(line);

    for (const directory of ["hostile", "astral"]) {
      test(`list_dir shows each entry of ${directory} once and in order`, async () => {
        const args = { dir_path: `/repo/${directory}`, limit: COUNT };
        const whole = await client.callTool("list_dir", args, { maxOutputBytes: 10_000_000 });
        const paged = await pages("list_dir", args);
        assert.deepEqual(
          paged.flatMap((text) => text.split("\n").filter(isEntry)),
          whole.content.split("\n").filter(isEntry),
        );
      });
    }

    test("LS shows each entry once and in order", async () => {
      const paged = await pages("LS", { path: "/repo/hostile", limit: 200 });
      const shown = paged.flatMap((text) => {
        const envelope = JSON.parse(text);
        return envelope.data.entries.map(({ path }: { path: string }) => path);
      });
      const two = await Promise.all(
        [0, 200].map((offset) =>
          client.callTool(
            "LS",
            { path: "/repo/hostile", limit: 200, offset },
            { maxOutputBytes: 10_000_000 },
          ),
        ),
      );
      const whole = two.flatMap(({ content }) =>
        JSON.parse(content).data.entries.map(({ path }: { path: string }) => path),
      );
      assert.equal(whole.length, 400);
      assert.deepEqual(shown, whole);
    });

    for (const file of ["code.py", "漢字.txt", "escapes.txt"]) {
      test(`read_file shows each line of ${file} once and whole`, async () => {
        const args = { file_path: `/repo/${file}`, limit: 3_000 };
        const whole = await client.callTool("read_file", args, { maxOutputBytes: 10_000_000 });
        const paged = await pages("read_file", args);
        assert.equal(paged.join("\n"), whole.content);
      });
    }
  });

  test("a guide names the next call, and counts towards the budget", async () => {
    for (const call of CALLS) {
      const [name, args] = call;
      const toolset = await createToolset(client, { output: "webmcp", guide: true });
      const { text, result } = await toolset.call(name, args);
      assert.ok(result, text);
      const { content, nextArguments, truncated, warnings } = result;
      const guides = [
        ...(nextArguments === null
          ? []
          : [
              `\n[More: call ${name} with ${JSON.stringify(nextArguments)}${SEARCHES.get(name) ?? ""}]`,
            ]),
        ...(nextArguments === null && truncated ? [`\n[${warnings[0]}]`] : []),
      ];
      assert.equal(text, content + guides.join(""));
      assert.ok(text.length <= 1_500, `${JSON.stringify(call)}: ${text.length}`);
    }
  });

  test("a guide names a tool to search with as the host sees it, if it is offered", async () => {
    const args = { dir_path: "/repo/many", limit: 2 };
    const lastLine = async (options: ToolsetOptions) => {
      const toolset = await createToolset(client, { guide: true, ...options });
      const { text } = await toolset.call(`${options.prefix ?? ""}list_dir`, args);
      return text.split("\n").at(-1);
    };

    const next = '{"dir_path":"/repo/many","limit":2,"offset":3}';
    assert.deepEqual(
      [await lastLine({ prefix: "repo_" }), await lastLine({ allow: ["list_dir"] })],
      [
        `[More: call repo_list_dir with ${next}; to find one place, call repo_grep_files]`,
        `[More: call list_dir with ${next}]`,
      ],
    );
  });

  test("an estimate is between the real count of tokens and about twice that", async () => {
    for (const [tool, args] of CALLS) {
      const { content } = await client.callTool(tool, args, { maxOutputBytes: 30_000 });
      const ratio = estimateTokens(content) / encode(content).length;
      assert.ok(ratio >= 1 && ratio <= 2.1, `${tool} ${JSON.stringify(args)}: ${ratio}`);
    }
  });
});

describe("an estimate of tokens", () => {
  test("of an empty text is 0", () => {
    assert.equal(estimateTokens(""), 0);
  });

  for (const [what, text] of Object.entries({
    prose: "The quick brown fox jumps over the lazy dog, and no one wonders why.\n".repeat(50),
    "German prose": "Größe und Übermut der Füchse wachsen im Frühjahr stärker.\n".repeat(50),
    Chinese: "这是一个用于测试的中文句子，编号一。\n".repeat(50),
    "a path": "node_modules/@scope/some-package/dist/esm/components/HeaderBar.test.tsx\n".repeat(
      50,
    ),
    "a hash": "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n".repeat(
      50,
    ),
    "JSON of numbers": JSON.stringify(Array.from({ length: 300 }, (_, n) => 1_760_000_000_000 + n)),
    Base64: Buffer.from(Array.from({ length: 3_000 }, () => below(256))).toString("base64"),
  })) {
    test(`of ${what} is not too low and not more than twice too high`, () => {
      const ratio = estimateTokens(text) / encode(text).length;
      assert.ok(ratio >= 1 && ratio <= 2.1, String(ratio));
    });
  }
});
