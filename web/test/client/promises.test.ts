import assert from "node:assert/strict";
import test from "node:test";
import { orAborted } from "../../src/lib/promises.ts";

test("an answer that fails after its abort is no unhandled rejection", async (context) => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", hear);
  context.after(() => process.off("unhandledRejection", hear));
  const answer = Promise.reject(new Error("the answer's own"));
  const left = AbortSignal.abort("left before");
  const heard = await orAborted(answer, left).catch((reason: unknown) => reason);
  // Node reports an unhandled rejection after all promises have had their turn.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([heard, unheard], ["left before", []]);
});
