import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { toolTimeoutMs } from "../../src/client/method-options.ts";
import { startRealClient } from "../support/real-client.ts";

/** A search of these takes several times as long, since it has to follow each character. */
const FILE_COUNT = 200;
const TEXT = `z${"xy".repeat(250)}\n`.repeat(200);
const PATTERN = "([xy]{1,3}){2,}z$";

let client: TreeglassClient;
before(async () => {
  const paths = Array.from({ length: FILE_COUNT }, (_, index) => `file-${index}.txt`);
  client = await startRealClient(Object.fromEntries(paths.map((path) => [path, TEXT])));
  // Fetches the code of a search, which would count.
  await client.callTool("grep_files", { pattern: "absent", path: "/repo" });
});
after(() => client.close());

test("a search answers with the part that it found before the time-out of its call", async () => {
  const args = { pattern: PATTERN, path: "/repo" };
  const result = await client.callTool("grep_files", args, { timeoutMs: 3000 });
  assert.deepEqual([result.isError, result.content], [true, "rg timed out after 2.4 seconds"]);
  assert.deepEqual(
    result.warnings.map((text) => text.replace(/\d+ of/, "N of")),
    [
      `The time was up after N of ${FILE_COUNT} files were searched, the newest first; ` +
        "narrow path or include. Of these 0 match.",
    ],
  );
});

test("a tool has a fifth less time than its call of a second or more, and at most a second less", () => {
  assert.deepEqual(
    [999, 1234.5, 60_000, Number.MAX_VALUE, Number.POSITIVE_INFINITY].map(toolTimeoutMs),
    [undefined, 988, 59_000, undefined, undefined],
  );
});
