import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { estimateTokens } from "../../src/adapters/output-profile.ts";
import {
  type CallEvent,
  createToolset,
  type Toolset,
  type ToolsetOptions,
} from "../../src/adapters/toolset.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

const ENTRIES = {
  "README.md": "# Sample\n",
  "src/main.py": "def main():\n    return 0\n",
  "dir with token=abc123/a.txt": "",
};

const LISTING = "Absolute path: /repo\nREADME.md\ndir with token=abc123/\n  a.txt\nsrc/\n  main.py";

/** An event without the members that differ from run to run. */
function untimed(event: CallEvent): CallEvent {
  assert.ok(event.elapsedMs >= 0);
  return {
    ...event,
    elapsedMs: 0,
    result: event.result === null ? null : { ...event.result, elapsedMs: 0 },
  };
}

const client = await startRealClient(ENTRIES);
await client.mount("/many", {
  entries: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`file-${n}`, ""])),
});
after(() => client.close());

describe("a toolset over the shipped tools", () => {
  async function recorded(options: ToolsetOptions = {}): Promise<[Toolset, CallEvent[]]> {
    const events: CallEvent[] = [];
    return [
      await createToolset(client, { ...options, onCall: (event) => events.push(event) }),
      events,
    ];
  }

  const namesOf = async (options: ToolsetOptions) =>
    (await createToolset(client, options)).tools.map(({ name }) => name);

  test("the offered tools have their own names and definitions", async () => {
    const toolset = await createToolset(client);
    assert.deepEqual(toolset.tools, await client.listTools());
    assert.deepEqual(await toolset.describe("mcp"), toolset.tools);
  });

  test("a toolset and its client are not tagged Object, so Vue puts no proxy before them", async () => {
    const tags = [client, await createToolset(client)].map((one) => String(one));
    assert.deepEqual(tags, ["[object TreeglassClient]", "[object Toolset]"]);
  });

  test("allow picks tools, and deny wins over it", async () => {
    assert.deepEqual(await namesOf({ allow: ["read_file", "LS"] }), ["LS", "read_file"]);
    assert.deepEqual(await namesOf({ allow: [] }), []);
    assert.deepEqual(await namesOf({ deny: ["LS", "list_directory"] }), [
      "Glob",
      "Grep",
      "Read",
      "Search",
      "grep_files",
      "list_dir",
      "read_file",
    ]);
    assert.deepEqual(await namesOf({ allow: ["LS", "read_file"], deny: ["LS"] }), ["read_file"]);
  });

  test("a prefix precedes every name that is not renamed", async () => {
    const rename = { LS: "ls", read_file: "list_dir" };
    assert.deepEqual(await namesOf({ prefix: "repo_", rename }), [
      "repo_Glob",
      "repo_Grep",
      "ls",
      "repo_Read",
      "repo_Search",
      "repo_grep_files",
      "repo_list_dir",
      "repo_list_directory",
      "list_dir",
    ]);
  });

  test("every format has the host's names, and the host calls by them", async () => {
    const [toolset, events] = await recorded({
      prefix: "repo_",
      rename: { read_file: "list_dir" },
      allow: ["list_dir", "read_file"],
    });
    const described = await toolset.describe("anthropic");
    assert.deepEqual(
      described.map(({ name }) => name),
      ["repo_list_dir", "list_dir"],
    );
    const read = await toolset.call("list_dir", { file_path: "/repo/README.md" });
    assert.equal(read.text, "L1: # Sample");
    assert.deepEqual(
      events.map(({ name, tool }) => [name, tool]),
      [["list_dir", "read_file"]],
    );
  });

  for (const [what, options, message] of [
    [
      "two tools with the same name",
      { rename: { LS: "list_dir" } },
      'Two tools would be named "list_dir".',
    ],
    [
      "a tool with another's prefixed name",
      { prefix: "a_", rename: { LS: "a_list_dir" } },
      'Two tools would be named "a_list_dir".',
    ],
    [
      "a rename of a tool that is not offered",
      { rename: { grep: "search" } },
      'No tool "grep" is offered; offered are Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file. The option family of connect chooses which are offered.',
    ],
    [
      "an allowed tool that is not offered",
      { allow: ["ls"] },
      'No tool "ls" is offered; offered are Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file. The option family of connect chooses which are offered.',
    ],
    [
      "a denied tool that is not offered",
      { deny: ["list-dir"] },
      'No tool "list-dir" is offered; offered are Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file. The option family of connect chooses which are offered.',
    ],
    [
      "an invalid name",
      { prefix: "my repo: " },
      'No tool can be named "my repo: Glob": names have 1 to 128 of A-Z a-z 0-9 _ . -',
    ],
    [
      "a budget of 0",
      { output: { unit: "bytes", max: 0 } },
      "output is webmcp, 10-kib, 25k-tokens, 40k-characters, or { unit, max } with the unit " +
        "characters, bytes, tokens, and max from 1 on.",
    ],
    [
      "no time at all",
      { timeoutMs: 0 },
      "The option timeoutMs is a number of milliseconds above 0; Infinity sets no limit.",
    ],
  ] as const) {
    test(`${what} is refused when the tools are made`, async () => {
      await assert.rejects(createToolset(client, options), { name: "BadRequest", message });
    });
  }

  // A page without types can pass anything.
  const MISTAKES: readonly [string, object, string][] = [
    [
      "a misspelled policy",
      { aprove: () => false },
      "This adapter has no option aprove; the known ones are allow, answeredElsewhere, approve, " +
        "deny, group, guide, nullsAreAbsent, onCall, output, prefix, rename, timeoutMs, workingDir.",
    ],
    ["a text instead of a list", { deny: "LS" }, "The option deny is a list of texts."],
    ["an approve that is not a function", { approve: true }, "The option approve is a function."],
    ["a prefix that is not a text", { prefix: 1 }, "The option prefix is a text."],
    [
      "a rename that is a list",
      { rename: [["LS", 1]] },
      "The option rename is an object whose values are texts.",
    ],
    ["a guide that is a text", { guide: "yes" }, "The option guide is true or false."],
    [
      "no options object",
      JSON.parse("null"),
      "This adapter takes its options as an object; the known ones are allow, answeredElsewhere, " +
        "approve, deny, group, guide, nullsAreAbsent, onCall, output, prefix, rename, timeoutMs, workingDir.",
    ],
  ];
  for (const [what, options, message] of MISTAKES) {
    test(`${what} is refused when the tools are made`, async () => {
      await assert.rejects(createToolset(client, options), { name: "BadRequest", message });
    });
  }

  test("every call is reported whole, with the host's id and names", async () => {
    const [toolset, events] = await recorded({ prefix: "repo_" });
    const outcome = await toolset.call("repo_list_dir", '{"dir_path":"/repo"}', { callId: "c1" });
    assert.equal(outcome.text, LISTING);
    assert.deepEqual(events.map(untimed), [
      {
        name: "repo_list_dir",
        tool: "list_dir",
        callId: "c1",
        arguments: '{"dir_path":"/repo"}',
        outcome: "answered",
        text: LISTING,
        isError: false,
        truncated: false,
        sizeBytes: LISTING.length,
        estimatedTokens: estimateTokens(LISTING),
        elapsedMs: 0,
        result: {
          content: LISTING,
          structuredContent: null,
          isError: false,
          error: null,
          truncated: false,
          nextArguments: null,
          warnings: [],
          elapsedMs: 0,
        },
      },
    ]);
  });

  test("a call of an unknown tool is told the names of the tools", async () => {
    const [toolset, events] = await recorded({ allow: ["LS", "read_file"] });
    const text = 'There is no tool "list_dir"; the tools are: LS, read_file.';
    const refused = { text, isError: true, result: null };
    assert.deepEqual(await toolset.call("list_dir", {}), refused);
    assert.deepEqual(events.map(untimed), [
      {
        name: "list_dir",
        tool: null,
        callId: null,
        arguments: {},
        outcome: "unknown",
        ...refused,
        truncated: false,
        sizeBytes: text.length,
        estimatedTokens: estimateTokens(text),
        elapsedMs: 0,
      },
    ]);
    const long = await toolset.call("x".repeat(100_000), {});
    assert.equal(long.text, `There is no tool "${"x".repeat(100)}"; the tools are: LS, read_file.`);
  });

  test("an empty text means no arguments", async () => {
    const toolset = await createToolset(client);
    const entries = async (args: unknown) =>
      (await toolset.call("LS", args)).result?.structuredContent?.data;
    const whole = await entries({ path: "." });
    for (const args of [undefined, null, "", "{}"]) {
      assert.deepEqual(await entries(args), whole);
    }
  });

  test("the tool itself refuses arguments that are not an object", async () => {
    const [toolset, events] = await recorded();
    const sent = ['{"dir_path": "/re', "[1]", [1], 7, true, { dir_path: 7 }];
    const told = [];
    for (const args of sent) {
      const { text, isError } = await toolset.call("list_dir", args);
      assert.equal(isError, true);
      told.push(text);
    }
    const noObject = "failed to parse function arguments: the arguments must be a JSON object";
    assert.deepEqual(told, [
      "failed to parse function arguments: the arguments are not valid JSON: " +
        "Unterminated string starting at: line 1 column 14 (char 13)",
      noObject,
      noObject,
      noObject,
      noObject,
      "failed to parse function arguments: `dir_path` must be a string, not 7; " +
        'expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}',
    ]);
    assert.deepEqual(
      events.map(({ outcome, arguments: args }) => [outcome, args]),
      sent.map((args) => ["answered", args]),
    );
  });

  test("arguments that JSON cannot hold are an outcome too, and are reported", async () => {
    const reports = await withReports(async () => {
      const toolset = await createToolset(client);
      assert.deepEqual(await toolset.call("LS", { path: 1n }), {
        text: "LS could not be called; try it once more.",
        isError: true,
        result: null,
      });
    });
    assert.deepEqual(
      reports.map((error) => error instanceof TypeError),
      [true],
    );
  });

  test("the tool itself answers for an unmounted tree", async () => {
    await client.mount("/gone", { entries: { "a.txt": "" } });
    const toolset = await createToolset(client);
    assert.equal((await toolset.call("list_dir", { dir_path: "/gone" })).isError, false);
    await client.unmount("/gone");
    const { text, isError } = await toolset.call("list_dir", { dir_path: "/gone" });
    assert.deepEqual(
      [text, isError],
      ["failed to read directory: No such file or directory (os error 2)", true],
    );
  });

  test("relative paths start at the configured workingDir", async () => {
    const toolset = await createToolset(client, { workingDir: "/repo/src" });
    const { result } = await toolset.call("LS", {});
    assert.deepEqual(result?.structuredContent?.data, {
      entries: [{ path: "repo/src/main.py", type: "file" }],
      truncated: false,
    });
  });

  test("a call that runs too long is stopped, and the model reads that it should ask for less", async () => {
    const [toolset, events] = await recorded({ timeoutMs: 1 });
    const outcome = await toolset.call("list_dir", { dir_path: "/many", limit: 20_000 });
    assert.deepEqual(outcome, {
      text: "list_dir ran for too long and was stopped; ask for less at once.",
      isError: true,
      result: null,
    });
    assert.deepEqual(
      events.map(({ outcome: kind }) => kind),
      ["failed"],
    );
    const unhurried = await createToolset(client);
    assert.equal((await unhurried.call("list_dir", { dir_path: "/repo" })).text, LISTING);
  });

  test("an abort in the middle rejects with its reason, and is reported", async () => {
    const [toolset, events] = await recorded();
    const controller = new AbortController();
    const options = { signal: controller.signal, callId: "c9" };
    const call = toolset.call("list_dir", { dir_path: "/many", limit: 20_000 }, options);
    const reason = new Error("The person pressed stop.");
    setImmediate(() => controller.abort(reason));
    await assert.rejects(call, reason);
    await assert.rejects(toolset.call("nothing", {}, options), reason);
    const aborted = {
      callId: "c9",
      outcome: "aborted",
      text: "",
      isError: true,
      truncated: false,
      sizeBytes: 0,
      estimatedTokens: 0,
      elapsedMs: 0,
      result: null,
    };
    assert.deepEqual(events.map(untimed), [
      {
        ...aborted,
        name: "list_dir",
        tool: "list_dir",
        arguments: { dir_path: "/many", limit: 20_000 },
      },
      { ...aborted, name: "nothing", tool: null, arguments: {} },
    ]);
    assert.equal((await toolset.call("list_dir", { dir_path: "/repo" })).text, LISTING);
  });

  test("a log that throws changes no answer, and is reported", async () => {
    const fault = new Error("the log is full");
    const reports = await withReports(async () => {
      const toolset = await createToolset(client, {
        onCall: () => {
          throw fault;
        },
      });
      assert.equal((await toolset.call("list_dir", { dir_path: "/repo" })).text, LISTING);
      const aborted = { signal: AbortSignal.abort(new Error("stop")) };
      await assert.rejects(toolset.call("LS", {}, aborted), { message: "stop" });
    });
    assert.deepEqual(reports, [fault, fault]);
  });

  test("the model learns that the client is closed, with and without approval", async () => {
    const closed = await startRealClient(ENTRIES);
    const plain = await createToolset(closed);
    const asking = await createToolset(closed, { approve: () => true });
    await closed.close();
    for (const toolset of [plain, asking]) {
      assert.deepEqual(await toolset.call("LS", {}), {
        text: "The tools were closed; no call can be made any more.",
        isError: true,
        result: null,
      });
    }
    await assert.rejects(plain.describe("openai"), { name: "Closed" });
    await assert.rejects(createToolset(closed), { name: "Closed" });
  });
});
