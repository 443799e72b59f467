import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { createToolset, type ToolsetOptions } from "../../src/adapters/toolset.ts";
import { startRealClient } from "../support/real-client.ts";
import { ENTRIES, recorded } from "../support/toolsets.ts";

const client = await startRealClient(ENTRIES);
after(() => client.close());

describe("the options of a toolset", () => {
  const namesOf = async (options: ToolsetOptions) =>
    (await createToolset(client, options)).tools.map(({ name }) => name);

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
    const [toolset, events] = await recorded(client, {
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
});
