import assert from "node:assert/strict";
import { test } from "node:test";
import { startThread } from "../src/hosts/thread/thread.ts";

const ECHO = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", (message) => parentPort.postMessage(message));
`;

/** A Blob whose content is the same buffer that it was given. */
class GivenBlob extends Blob {
  readonly #given: ArrayBuffer;

  constructor(given: ArrayBuffer) {
    super([]);
    this.#given = given;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#given;
  }
}

/** Returns the messages that a thread received, and ends it. */
async function deliver(blobs: readonly Blob[]): Promise<unknown[]> {
  const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(ECHO)}`));
  const received: unknown[] = [];
  // A thread lets the program end, and the test is a part of it.
  const wait = setInterval(() => undefined, 60_000);
  await new Promise<void>((resolve) => {
    thread.addEventListener("message", ({ data }) => {
      received.push(data);
      if (received.length === blobs.length) {
        resolve();
      }
    });
    for (const [index, blob] of blobs.entries()) {
      thread.postMessage({ type: "handover", handle: index + 1, blob }, []);
    }
  });
  clearInterval(wait);
  thread.terminate();
  return received;
}

test("the bytes of a Blob move to a thread, and none stay behind", async () => {
  const bytes = new TextEncoder().encode("some bytes").buffer;
  const received = await deliver([new GivenBlob(bytes)]);
  assert.deepEqual(
    [received, bytes.byteLength],
    [[{ type: "handover", handle: 1, content: new TextEncoder().encode("some bytes").buffer }], 0],
  );
});

test("a Blob that cannot be posted does not hold up those after it", async () => {
  const noBuffer = new Proxy(new ArrayBuffer(1), {});
  const received = await deliver([new GivenBlob(noBuffer), new Blob(["next"])]);
  assert.deepEqual(received, [
    { type: "handover", handle: 1, content: null },
    { type: "handover", handle: 2, content: new TextEncoder().encode("next").buffer },
  ]);
});
