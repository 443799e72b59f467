import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TreeglassClient } from "../src/client/client.ts";
import { startRealClient } from "./support/real-client.ts";

/** Ten seconds and more for a search that has to follow every character. */
const SLOW_FILES = 400;
const SLOW_TEXT = `z${"xy".repeat(250)}\n`.repeat(200);
const SLOW_PATTERN = "(x|y|xy)+z$";

let client: TreeglassClient;
before(async () => {
  const paths = Array.from({ length: SLOW_FILES }, (_, index) => `slow-${index}.txt`);
  client = await startRealClient(Object.fromEntries(paths.map((path) => [path, SLOW_TEXT])));
});
after(() => client.close());

test("a search answers with the part that it found before the time-out of its call", async () => {
  const args = { pattern: SLOW_PATTERN, path: "/repo" };
  const result = await client.callTool("grep_files", args, { timeoutMs: 2000 });
  assert.deepEqual([result.isError, result.content], [true, "rg timed out after 1.6 seconds"]);
  const [warning, ...others] = result.warnings.map((text) => text.replace(/\d+ of/, "N of"));
  assert.equal(
    warning,
    `The time was up after N of ${SLOW_FILES} files were searched, the newest first; ` +
      "narrow path or include. Of these 0 match.",
  );
  assert.deepEqual(others, []);
});
