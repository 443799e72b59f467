import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { wordFailure } from "../../src/element/answer/failure-view.ts";
import { fetchBytes, refusalOf } from "../../src/sources/remote/fetch-bytes.ts";
import { startLoopback } from "../support/loopback.ts";

const OF_THE_AUTHOR = "This demo is not written correctly, so it cannot run.";
const OF_THE_NETWORK = "The files did not load. Check the network, and run again.";

/** Returns the sentence for a file that cannot be fetched. */
async function wordsFor(url: string): Promise<string> {
  const ceiling = { bytes: 100, exceeded: () => new Error("too much") };
  const { signal } = new AbortController();
  const refusal = await fetchBytes(url, { ceiling, signal }).catch((error) =>
    refusalOf(url, error),
  );
  assert(refusal instanceof Error);
  return wordFailure(refusal);
}

describe("a demo that cannot run", () => {
  test("blames the author for what the author has written or published", async () => {
    const server = await startLoopback();
    const missing = await wordsFor(`${server.address}missing.zip`);
    await server.close();
    const messages = {
      BadRequest: "This demo names no tool; give it the attribute tool, such as list_dir.",
      ConfigInvalid: "tool: unknown key",
      WorkspaceInvalid: 'The mount path "repo" is not absolute.',
      SourceUnknown: "The tree source has url and npm; pass one.",
      SourceUnreadable:
        "The zip archive ends too early; it was cut short; make it again and retry.",
      LimitExceeded: "The tree has more than 20000 entries (maxEntries).",
    };
    const said = Object.entries(messages).map(([name, message]) => wordFailure({ name, message }));
    assert.deepEqual(new Set([missing, ...said]), new Set([OF_THE_AUTHOR]));
  });

  test("blames the network for a server that does not answer, or cannot at present", async () => {
    const server = await startLoopback();
    server.put("/busy.zip", { status: 503 });
    const busy = await wordsFor(`${server.address}busy.zip`);
    await server.close();
    const gone = await wordsFor(`${server.address}gone.zip`);
    assert.deepEqual([busy, gone], [OF_THE_NETWORK, OF_THE_NETWORK]);
  });

  test("says for every other failure that the call could not be made", () => {
    assert.equal(wordFailure({ name: "TypeError", message: "x" }), "The call could not be made.");
  });
});
