import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GrowingBuffer } from "../../src/lib/growing-buffer.ts";

const MEBIBYTE = 1024 * 1024;

function counted(byteCount: number, first = 0): Uint8Array {
  return Uint8Array.from({ length: byteCount }, (_, index) => (first + index) % 251);
}

describe("bytes that are collected", () => {
  for (const writes of [[], [0], [1], [5, 0, 7], [1, 2, 3, 3_000_000, 1], [MEBIBYTE, MEBIBYTE]]) {
    test(`are whole after writes of ${writes.join(", ") || "nothing"}`, () => {
      const buffer = new GrowingBuffer();
      let sizeBytes = 0;
      for (const byteCount of writes) {
        buffer.write(counted(byteCount, sizeBytes));
        sizeBytes += byteCount;
      }
      assert.equal(buffer.sizeBytes, sizeBytes);
      const kept = buffer.finish();
      assert(kept instanceof Uint8Array);
      assert(Buffer.from(kept).equals(counted(sizeBytes)));
    });
  }

  test("are copies of what was written", () => {
    const buffer = new GrowingBuffer();
    const bytes = counted(10);
    buffer.write(bytes);
    bytes.fill(0);
    assert.deepEqual(buffer.finish(), counted(10));
  });

  test("are a Blob where they are many, and in their order", async () => {
    const buffer = new GrowingBuffer();
    const block = counted(251 * 4096);
    for (let written = 0; written < 80; written += 1) {
      buffer.write(block);
    }
    buffer.write(counted(9));
    const kept = buffer.finish();
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

  test("stay in memory up to the ceiling of their host", () => {
    const kinds = [8, Number.POSITIVE_INFINITY].map((maxBufferedBytes) => {
      const buffer = new GrowingBuffer(maxBufferedBytes);
      buffer.write(counted(9));
      return buffer.finish() instanceof Blob ? "Blob" : "memory";
    });
    assert.deepEqual(kinds, ["Blob", "memory"]);
  });

  test("are gone after they were returned", () => {
    const buffer = new GrowingBuffer();
    buffer.write(counted(10));
    buffer.finish();
    assert.equal(buffer.sizeBytes, 0);
    buffer.write(counted(3));
    assert.deepEqual(buffer.finish(), counted(3));
  });
});
