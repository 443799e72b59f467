import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimateTokens } from "../src/adapters/output-profile.ts";
import { type ToolResult, TreeglassError } from "../src/index.ts";
import type { CallRecord, CallText } from "../src/playground/call-record.ts";
import {
  type Comparison,
  FIRST_COMPARISON,
  LISTING_TOOLS,
  type ListingTool,
  readComparison,
  readDirectory,
  renderArguments,
  spellDirectory,
  toolsOf,
  writeComparison,
} from "../src/playground/compare/comparison.ts";
import { describeFailure, wordOutcome } from "../src/playground/compare/comparison-outcome.ts";
import { readEntries } from "../src/playground/compare/listed-entries.ts";
import { findMissing, uniteEntries } from "../src/playground/compare/missing-entries.ts";
import { renderChange, ToolWalk } from "../src/playground/compare/tool-walk.ts";
import { readAddress, renderAddress } from "../src/playground/location-hash.ts";

const { signal } = new AbortController();

function answer(content: string, rest: Partial<ToolResult> = {}): ToolResult {
  return {
    content,
    structuredContent: null,
    isError: false,
    error: null,
    truncated: false,
    nextArguments: null,
    warnings: [],
    elapsedMs: 1,
    ...rest,
  };
}

describe("the arguments of each tool", () => {
  const asked = (comparison: Partial<Comparison>) =>
    LISTING_TOOLS.map((tool) =>
      JSON.parse(renderArguments(tool, { ...FIRST_COMPARISON, ...comparison })),
    );
  const cases: [string, Partial<Comparison>, object[]][] = [
    ["the mount, each in its own way", {}, [{ dir_path: "/repo" }, { path: "." }, { path: "." }]],
    [
      "a depth, if the tool has an argument for it",
      { directory: "src/a", depth: 3 },
      [
        { dir_path: "/repo/src/a", depth: 3 },
        { path: "src/a" },
        { path: "src/a", recursive: true, max_depth: 3 },
      ],
    ],
    [
      "one level, which only list_dir has to be told",
      { depth: 1 },
      [{ dir_path: "/repo", depth: 1 }, { path: "." }, { path: "." }],
    ],
    [
      "hidden entries, if the tool omits them by default",
      { includeHidden: true },
      [
        { dir_path: "/repo" },
        { path: ".", include_hidden: true },
        { path: ".", include_hidden: true },
      ],
    ],
    [
      "a path outside the mount, unchanged",
      { directory: "/etc" },
      [{ dir_path: "/etc" }, { path: "/etc" }, { path: "/etc" }],
    ],
  ];
  for (const [what, comparison, expected] of cases) {
    test(what, () => {
      assert.deepEqual(asked(comparison), expected);
    });
  }
});

test("a pattern calls the tools that search, and no setting of a listing reaches them", () => {
  const comparison = { ...FIRST_COMPARISON, pattern: "TODO", directory: "src", depth: 3 };

  assert.deepEqual(
    toolsOf(comparison).map((tool) => [tool, JSON.parse(renderArguments(tool, comparison))]),
    [
      ["grep_files", { path: "/repo/src", pattern: "TODO" }],
      ["Grep", { path: "src", pattern: "TODO" }],
      ["Search", { path: "src", pattern: "TODO" }],
    ],
  );
});

describe("a typed directory", () => {
  const cases: [string, string, string][] = [
    ["/repo", "", "/repo"],
    ["/repo/", "", "/repo"],
    [".", "", "/repo"],
    ["/repo/src/", "src", "/repo/src"],
    ["src", "src", "/repo/src"],
    ["/etc", "/etc", "/etc"],
    ["/", "/", "/"],
  ];
  for (const [typed, directory, shown] of cases) {
    test(`${typed} is shown as ${shown}`, () => {
      assert.deepEqual([readDirectory(typed), spellDirectory(directory)], [directory, shown]);
    });
  }
});

describe("the address of a comparison", () => {
  const whole: Comparison = {
    pattern: "a|b & c",
    directory: "src/a b&c",
    depth: 5,
    includeHidden: true,
    maxOutputBytes: 4096,
  };

  for (const comparison of [FIRST_COMPARISON, whole]) {
    test(`names all of ${JSON.stringify(comparison)}`, () => {
      const parameters = new URLSearchParams();
      writeComparison(comparison, parameters);
      const read = readComparison(new URLSearchParams(parameters.toString()));
      assert.deepEqual(read, comparison);
    });
  }

  test("ignores values that the form does not offer", () => {
    const typed = "compare=a&compare_depth=99&compare_max_output_bytes=-1&compare_hidden=yes";
    const expected = { ...FIRST_COMPARISON, directory: "a" };
    assert.deepEqual(readComparison(new URLSearchParams(typed)), expected);
  });

  test("holds the tree, the view, the call and the comparison, and nothing else", () => {
    const link = { kind: "npm", specifier: "tiny@1.2.3", integrity: null } as const;
    const call = {
      toolName: "LS",
      argumentsText: '{\n  "path": "docs"\n}',
      maxOutputBytes: 512,
    };
    const state = { link, view: "compare", comparison: whole, call } as const;
    const hash = renderAddress(state);
    assert.equal(
      hash,
      "#npm=tiny%401.2.3&tool=LS&arguments=%7B%22path%22%3A%22docs%22%7D&max_output_bytes=512" +
        "&view=compare&compare=src%2Fa+b%26c&compare_pattern=a%7Cb+%26+c&compare_depth=5&compare_hidden=true" +
        "&compare_max_output_bytes=4096",
    );
    assert.deepEqual(readAddress(hash), state);
  });

  test("names a comparison only in its own view, and no view for the console", () => {
    const call = { toolName: "LS", argumentsText: "{}", maxOutputBytes: null };
    const state = { link: null, comparison: whole, call };
    assert.deepEqual(
      (["console", "agent"] as const).map((view) => renderAddress({ ...state, view })),
      ["#tool=LS&arguments=%7B%7D", "#tool=LS&arguments=%7B%7D&view=agent"],
    );
  });

  test("with an unknown view leads to the console", () => {
    assert.deepEqual(
      ["#view=admin", "#", "#view=agent"].map((hash) => readAddress(hash).view),
      ["console", "console", "agent"],
    );
  });
});

describe("the entries of an indented listing", () => {
  const read = (answers: readonly ToolResult[], known: readonly string[] = []) => [
    ...readEntries("list_dir", answers, new Set(known)),
  ];

  test("have kinds, and paths that follow from the indents", () => {
    const listing = "Absolute path: /repo\na/\n  b/\n    c\n  d@\ne?\nf";
    assert.deepEqual(read([answer(listing)]), [
      ["a", "dir"],
      ["a/b", "dir"],
      ["a/b/c", "file"],
      ["a/d", "link"],
      ["e", "other"],
      ["f", "file"],
    ]);
  });

  test("continue from page to page, without the line that says there are more", () => {
    const pages = [
      answer("Absolute path: /repo\na/\n  b\nMore than 2 entries found", { truncated: true }),
      answer("Absolute path: /repo\n  c\nd"),
    ];
    assert.deepEqual(read(pages), [
      ["a", "dir"],
      ["a/b", "file"],
      ["a/c", "file"],
      ["d", "file"],
    ]);
  });

  test("follow another tool's data if a line is ambiguous", () => {
    const listing = answer("Absolute path: /repo\na/\n  b\nc@");
    assert.deepEqual(read([listing], ["  b", "c@"]), [
      ["a", "dir"],
      ["  b", "file"],
      ["c@", "file"],
    ]);
  });

  test("are missing from an empty directory and from an error", () => {
    const refused = answer("failed to read directory: no", { isError: true });
    assert.deepEqual([read([answer("Absolute path: /repo")]), read([refused])], [[], []]);
  });
});

describe("the entries of a listing that is data", () => {
  test("are relative to the resolved directory, in the spelling of the text", () => {
    const entries = [
      { path: "src/a\nb", type: "file" },
      { path: "src/l", type: "link" },
    ];
    const context = { path_resolved: "src", params_input: { path: "./src/../src/" } };
    const listed = answer("{}", { structuredContent: { data: { entries }, context } });
    assert.deepEqual(
      [...readEntries("LS", [listed])],
      [
        ["a\\u{A}b", "file"],
        ["l", "link"],
      ],
    );
  });

  test("have the paths of the whole tree if that is listed", () => {
    const entries = [{ path: "src/a", type: "file" }];
    const structuredContent = { data: { entries }, context: { path_resolved: "." } };
    assert.deepEqual(
      [...readEntries("LS", [answer("{}", { structuredContent })])],
      [["src/a", "file"]],
    );
  });

  test("have the same kind for either tool's word for a link or a special file", () => {
    const entries = [
      { path: "d", type: "dir" },
      { path: "d/l", type: "symlink" },
      { path: "p", type: "fifo" },
    ];
    const listed = answer("{}", { structuredContent: { entries } });
    assert.deepEqual(
      [...readEntries("list_directory", [listed])],
      [
        ["d", "dir"],
        ["d/l", "link"],
        ["p", "other"],
      ],
    );
  });
});

describe("the entries that a tool has not shown", () => {
  const all = new Map([
    [".env", "file"],
    [".git", "dir"],
    [".git/config", "file"],
    ["a", "dir"],
    ["a/b", "file"],
    ["l", "link"],
    ["node_modules", "dir"],
    ["node_modules/x", "dir"],
  ] as const);
  const missing = (...shown: (typeof all extends Map<infer Path, unknown> ? Path : never)[]) =>
    Object.fromEntries(
      findMissing(new Map(shown.map((path) => [path, all.get(path) ?? "other"])), all),
    );

  test("are absent if it shows all", () => {
    assert.deepEqual(missing(...all.keys()), {});
  });

  test("are deeper if it shows only one level", () => {
    assert.deepEqual(missing(".env", ".git", "a", "l", "node_modules"), {
      deeper: [".git/config", "a/b", "node_modules/x"],
    });
  });

  test("are hidden, links, or inside a missing entry if it shows none of these", () => {
    assert.deepEqual(missing("a", "a/b"), {
      hidden: [".env", ".git"],
      inside: [".git/config", "node_modules/x"],
      link: ["l"],
      name: ["node_modules"],
    });
  });

  test("are missing for their name if the tool shows other hidden entries", () => {
    assert.deepEqual(missing(".env", "a", "a/b", "l", "node_modules", "node_modules/x"), {
      name: [".git"],
      inside: [".git/config"],
    });
  });

  test("are all entries if the tool has shown nothing", () => {
    assert.deepEqual(
      Object.keys(Object.fromEntries(findMissing(new Map(), uniteEntries([all])))).sort(),
      ["hidden", "inside", "link", "name"],
    );
  });
});

describe("the outcome of a comparison", () => {
  async function walkOf(tool: ListingTool, result: ToolResult): Promise<ToolWalk> {
    const first = { toolName: tool, argumentsText: "{}", maxOutputBytes: null };
    const walk = new ToolWalk(first, async (call) => ({ ...call, result, roundTripMs: 1 }));
    await walk.advance(signal);
    return walk;
  }

  test("says what the answers cost, or that a tool refused", async () => {
    const walks = new Map([
      ["list_dir", await walkOf("list_dir", answer("12345678"))],
      ["LS", await walkOf("LS", answer("no", { isError: true }))],
    ] as const);
    assert.equal(
      wordOutcome(LISTING_TOOLS, walks, new Map()),
      `list_dir about ${estimateTokens("12345678")} tokens, LS refused, list_directory stopped`,
    );
  });

  test("says why a call was not made, and not that the tool refused", async () => {
    const failures = new Map([
      ["list_dir", describeFailure("list_dir", new Error("The mount is gone."))],
      ["LS", describeFailure("LS", new TreeglassError("TimedOut", "LS ran too long."))],
    ] as const);
    const walks = new Map([
      ["list_directory", await walkOf("list_directory", answer("no", { isError: true }))],
    ] as const);
    assert.deepEqual(
      [[...failures.values()].map(({ word }) => word), wordOutcome(LISTING_TOOLS, walks, failures)],
      [
        ["not called", "TimedOut"],
        "list_dir failed, LS failed, list_directory refused. " +
          "list_dir was not called: The mount is gone. LS ran too long.",
      ],
    );
  });
});

describe("a walk through a tool's pages", () => {
  const first: CallText = { toolName: "LS", argumentsText: '{"path":"."}', maxOutputBytes: 99 };

  async function record(call: CallText): Promise<CallRecord> {
    const { offset = 0 } = JSON.parse(call.argumentsText);
    const next = offset < 4 ? { nextArguments: { path: ".", offset: offset + 2 } } : {};
    const result = answer(`at ${offset}`, { truncated: offset < 4, ...next });
    return { ...call, result, roundTripMs: 3 };
  }

  test("makes every call that the answers name, and adds up their cost", async () => {
    const walk = new ToolWalk(first, record);
    while (walk.nextCall !== null) {
      await walk.advance(signal);
    }
    await walk.advance(signal);
    assert.deepEqual(
      walk.pages.map(({ argumentsText, maxOutputBytes }) => [
        JSON.parse(argumentsText),
        maxOutputBytes,
      ]),
      [
        [{ path: "." }, 99],
        [{ path: ".", offset: 2 }, 99],
        [{ path: ".", offset: 4 }, 99],
      ],
    );
    const estimatedTokens = 3 * estimateTokens("at 0");
    assert.deepEqual(walk.totals, { calls: 3, sizeBytes: 12, estimatedTokens, elapsedMs: 3 });
  });

  test("ends even if a tool names the same call for ever", async () => {
    const nextArguments = { path: "." };
    const again = answer("", { truncated: true, nextArguments });
    const walk = new ToolWalk(first, async (call) => ({ ...call, result: again, roundTripMs: 0 }));
    while (walk.nextCall !== null) {
      await walk.advance(signal);
    }
    assert.equal(walk.totals.calls, 2_000);
  });

  test("says how the next call differs", () => {
    const next = { ...first, argumentsText: '{"path":".","offset":2}' };
    assert.equal(renderChange(first, next), '{"offset":2}');
  });
});
