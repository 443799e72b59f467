import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { findMatches } from "../../src/ui/found-matches.ts";
import { startRealClient } from "../support/real-client.ts";

let client: TreeglassClient;

before(async () => {
  client = await startRealClient({});
  await client.unmount("/repo");
  await client.mount("/repo", {
    entries: {
      "src/a.py": "# TODO one\ndef f():\n    return 1  # TODO two, todo three\n",
      "src/od\ne.md": "x \u00e9\u{1d4b3} TODO\n",
    },
  });
});

after(() => client.close());

/** Returns the matches of a call, each with the marked parts of its text. */
async function found(toolName: string, args: Readonly<Record<string, unknown>>) {
  const argumentsText = JSON.stringify(args);
  const result = await client.callTool(toolName, argumentsText, { workingDir: "/repo" });
  const matches = findMatches({ toolName, argumentsText, result, mountPath: "/repo" });
  return matches?.map(({ path, line, text, marks }) => [
    path,
    line,
    text,
    marks.map(([start, end]) => text.slice(start, end)),
  ]);
}

const ODD = "src/od\\u{A}e.md";
const ODD_LINE = "x \u00e9\u{1d4b3} TODO";
const LINE_3 = "    return 1  # TODO two, todo three";

describe("the matches of a search", () => {
  test("of grep_files are files", async () => {
    const files = await found("grep_files", { pattern: "TODO", path: "/repo/src" });
    assert.deepEqual(files?.sort(), [
      ["src/a.py", null, "", []],
      [ODD, null, "", []],
    ]);
  });

  test("of Glob are files", async () => {
    assert.deepEqual(await found("Glob", { pattern: "**/*.py" }), [["src/a.py", null, "", []]]);
  });

  test("of Grep are lines, with the words of the pattern marked", async () => {
    const lines = await found("Grep", { pattern: "two|TODO", path: "src" });
    assert.deepEqual(lines?.sort(), [
      ["src/a.py", 1, "# TODO one", ["TODO"]],
      ["src/a.py", 3, LINE_3, ["TODO", "two"]],
      [ODD, 1, ODD_LINE, ["TODO"]],
    ]);
  });

  test("of Grep have no marks if the pattern is more than words", async () => {
    const lines = await found("Grep", { pattern: "def \\w\\(", path: "." });
    assert.deepEqual(lines, [["src/a.py", 2, "def f():", []]]);
  });

  test("of Grep are marked where signs of the pattern are escaped", async () => {
    const pattern = "DEF F\\(\\)|two, |\\|";
    const lines = await found("Grep", { pattern, path: "src", "-i": true });
    assert.deepEqual(lines, [
      ["src/a.py", 2, "def f():", ["def f()"]],
      ["src/a.py", 3, LINE_3, ["two, "]],
    ]);
  });

  test("of Search are lines of the searched directory, marked at their columns", async () => {
    assert.deepEqual(await found("Search", { pattern: "TODO", path: "src" }), [
      ["src/a.py", 1, "# TODO one", ["TODO"]],
      ["src/a.py", 3, LINE_3, ["TODO"]],
      [ODD, 1, ODD_LINE, ["TODO"]],
    ]);
  });

  test("are missing for another tool, and for an error", async () => {
    assert.equal(await found("list_dir", { dir_path: "/repo" }), undefined);
    assert.equal(await found("Search", { pattern: "(", path: "." }), undefined);
  });
});
