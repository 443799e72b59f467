import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GrowingBuffer } from "../src/lib/growing-buffer.ts";

const MEBIBYTE = 1024 * 1024;

function counted(byteCount: number, first = 0): Uint8Array {
  return Uint8Array.from({ length: byteCount }, (_, index) => (first + index) % 251);
}

describe("bytes that are collected", () => {
  for (const writes of [[], [0], [1], [5, 0, 7], [1, 2, 3, 3_000_000, 1], [MEBIBYTE, MEBIBYTE]]) {
    test(`are whole after writes of ${writes.join(", ") || "nothing"}`, () => {
      const spool = new GrowingBuffer();
      let sizeBytes = 0;
      for (const byteCount of writes) {
        spool.write(counted(byteCount, sizeBytes));
        sizeBytes += byteCount;
      }
      assert.equal(spool.sizeBytes, sizeBytes);
      const kept = spool.finish();
      assert(kept instanceof Uint8Array);
      assert(Buffer.from(kept).equals(counted(sizeBytes)));
    });
  }

  test("are copies of the written bytes", () => {
    const spool = new GrowingBuffer();
    const bytes = counted(10);
    spool.write(bytes);
    bytes.fill(0);
    assert.deepEqual(spool.finish(), counted(10));
  });

  test("are a Blob in the written order if they are many", async () => {
    const spool = new GrowingBuffer();
    const block = counted(251 * 4096);
    for (let written = 0; written < 80; written += 1) {
      spool.write(block);
    }
    spool.write(counted(9));
    const kept = spool.finish();
    assert(kept instanceof Blob);
    assert.equal(kept.size, 80 * block.byteLength + 9);
    for (let at = 0; at < 80; at += 1) {
      const piece = await kept
        .slice(at * block.byteLength, (at + 1) * block.byteLength)
        .arrayBuffer();
      assert(Buffer.from(piece).equals(block));
    }
    const end = await kept.slice(80 * block.byteLength).arrayBuffer();
    assert.deepEqual(new Uint8Array(end), counted(9));
  });

  test("are gone once they were handed over", () => {
    const spool = new GrowingBuffer();
    spool.write(counted(10));
    spool.finish();
    assert.equal(spool.sizeBytes, 0);
    spool.write(counted(3));
    assert.deepEqual(spool.finish(), counted(3));
  });
});
