import assert from "node:assert/strict";
import test from "node:test";
import { createToolset } from "../../src/adapters/toolset.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

test("arguments that are nested too deeply are refused without a report", async (context) => {
  const client = await startRealClient({ "a.txt": "" });
  context.after(() => client.close());
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
