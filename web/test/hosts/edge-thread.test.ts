import assert from "node:assert/strict";
import { test } from "node:test";
import { startThread } from "../../src/hosts/thread/thread.ts";

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
    for (const [index, joined] of blobs.entries()) {
      thread.postMessage({ type: "files", id: index + 1, server: 1, reply: { joined, files: [] } });
    }
  });
  clearInterval(wait);
  thread.terminate();
  return received;
}

/** Returns the message that a thread gets for files. */
function filesOf(id: number, joined: ArrayBuffer | null): object {
  return { type: "files", id, server: 1, reply: { joined, files: [] } };
}

test("the bytes of a Blob move to a thread, and none stay behind", async () => {
  const bytes = new TextEncoder().encode("some bytes").buffer;
  const received = await deliver([new GivenBlob(bytes)]);
  assert.deepEqual(
    [received, bytes.byteLength],
    [[filesOf(1, new TextEncoder().encode("some bytes").buffer)], 0],
  );
});

test("a Blob that cannot be posted does not hold up those after it", async () => {
  const noBuffer = new Proxy(new ArrayBuffer(1), {});
  const received = await deliver([new GivenBlob(noBuffer), new Blob(["next"])]);
  assert.deepEqual(received, [
    filesOf(1, null),
    filesOf(2, new TextEncoder().encode("next").buffer),
  ]);
});
