import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { createToolset } from "../../src/adapters/toolset.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";
import { ENTRIES, LISTING } from "../support/toolsets.ts";

const NULLS = { dir_path: "/repo", offset: null, limit: null, depth: null };

const client = await startRealClient(ENTRIES);
after(() => client.close());

describe("a toolset for a host that sends null for absent arguments", () => {
  test("answers as if nulls of optional arguments had not been sent", async () => {
    const toolset = await createToolset(client, {}, { nullsAreAbsent: true });
    assert.equal((await toolset.call("list_dir", JSON.stringify(NULLS))).text, LISTING);
    assert.equal((await toolset.call("list_dir", NULLS)).text, LISTING);
    const strict = await createToolset(client);
    assert.equal((await strict.call("list_dir", NULLS)).isError, true);
    await strict.describe("openai");
    assert.equal((await strict.call("list_dir", NULLS)).text, LISTING);
  });

  test("says itself what a null means, whatever format is asked for", async () => {
    const taking = await createToolset(client, { nullsAreAbsent: true });
    assert.equal((await taking.call("list_dir", NULLS)).text, LISTING);
    const refusing = await createToolset(client, { nullsAreAbsent: false });
    await refusing.describe("openai");
    assert.equal((await refusing.call("list_dir", NULLS)).isError, true);
  });

  test("leaves out nulls at every depth, and no null of a required argument", async () => {
    const toolset = await createToolset(client, {}, { nullsAreAbsent: true });
    const indentation = { anchor_line: 1, max_levels: null, include_header: null };
    const nested = { file_path: "/repo/src/main.py", mode: null, indentation };
    const { text } = await toolset.call("read_file", nested);
    assert.equal(text, "L1: def main():\nL2:     return 0");
    assert.equal((await toolset.call("read_file", { file_path: null })).isError, true);
  });

  test("asks for approval with the same nulls left out, and shows them as they were sent", async () => {
    const proposed: (readonly [string, string])[] = [];
    const approve = (call: { readonly summary: string; readonly arguments: string }) => {
      proposed.push([call.summary, call.arguments]);
      return true;
    };
    const toolset = await createToolset(client, { approve }, { nullsAreAbsent: true });
    assert.equal((await toolset.call("list_dir", NULLS)).text, LISTING);
    assert.deepEqual(proposed, [["List directory /repo", JSON.stringify(NULLS)]]);
  });

  test("refuses a text with a repeated key, with or without a null", async () => {
    const toolset = await createToolset(client, {}, { nullsAreAbsent: true });
    for (const second of ["null", '"src"']) {
      const { isError, result } = await toolset.call("LS", `{"path": "src", "path": ${second}}`);
      const message = 'the arguments hold "path" more than once; give each key once';
      assert.deepEqual([isError, result?.error], [true, { kind: "INVALID_PARAM", message }]);
    }
  });
});

test("arguments that are nested too deeply are refused without a report", async () => {
  const deep = JSON.parse(`{"more": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
  const reports = await withReports(async () => {
    const toolset = await createToolset(client);
    assert.deepEqual(await toolset.call("list_dir", deep), {
      text: "The arguments of list_dir are nested too deeply to be read; call it with those that its schema names.",
      isError: true,
      result: null,
    });
  });
  assert.deepEqual(reports, []);
});
