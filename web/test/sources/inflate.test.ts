import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { inflateInto } from "../../src/sources/archives/zip/inflate.ts";
import { CONTENTS, noise, numbers, WAYS, words } from "../support/deflated.ts";

function inflated(compressed: Uint8Array, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  inflateInto(compressed, bytes);
  return bytes;
}

describe("inflating", () => {
  for (const [what, content] of CONTENTS) {
    for (const [how, options] of WAYS) {
      test(`returns ${what} deflated ${how}`, () => {
        const compressed = deflateRawSync(content, options);
        assert.equal(Buffer.compare(inflated(compressed, content.length), content), 0);
      });
    }
  }

  test("refuses content that is larger or smaller than declared", () => {
    for (const [what, content] of CONTENTS.slice(1)) {
      for (const [how, options] of WAYS) {
        const compressed = deflateRawSync(content, options);
        const larger = { message: "the content is larger than declared" };
        const smaller = { message: "the content is smaller than declared" };
        assert.throws(() => inflated(compressed, content.length - 1), larger, `${what}, ${how}`);
        assert.throws(() => inflated(compressed, 0), larger, `${what}, ${how}`);
        assert.throws(() => inflated(compressed, content.length + 1), smaller, `${what}, ${how}`);
      }
    }
  });

  test("refuses a beginning of the compressed form, cut at any byte", () => {
    const content = words(40);
    for (const [, options] of WAYS) {
      const compressed = deflateRawSync(content, options);
      for (let length = 0; length < compressed.length; length += 1) {
        assert.throws(() => inflated(compressed.subarray(0, length), content.length), {
          // Missing bits are read as zeros, and those may be no code.
          message: /^the compressed form (?:ends too early|is broken)$/,
        });
      }
    }
  });

  test("ignores bytes behind the end", () => {
    const compressed = Buffer.concat([deflateRawSync(Buffer.from("text")), noise(100)]);
    assert.equal(inflated(compressed, 4).toString(), "text");
  });
});

describe("inflating a randomly changed archive", () => {
  /** Several times the original, and quickly allocated for each of thousands of rounds. */
  const MAX_BYTES = 16_384;

  /** Returns the content that zlib inflates, or null if it refuses. */
  function byZlib(compressed: Buffer): Buffer | null {
    try {
      return inflateRawSync(compressed, { maxOutputLength: MAX_BYTES });
    } catch {
      return null;
    }
  }

  function byUs(compressed: Buffer, sizeBytes: number): Buffer | null {
    try {
      return inflated(compressed, sizeBytes);
    } catch {
      return null;
    }
  }

  for (const [how, options] of WAYS) {
    test(`reads or refuses content deflated ${how} as zlib does`, () => {
      const next = numbers(how.length);
      const original = deflateRawSync(Buffer.concat([words(300), noise(200)]), options);
      let readCount = 0;
      for (let round = 0; round < 2000; round += 1) {
        const changed = Buffer.from(original);
        for (let change = next() % 3; change >= 0; change -= 1) {
          // The codes stand at the start; a change of these changes more than one byte.
          const at = next() % (round % 2 === 0 ? Math.min(120, changed.length) : changed.length);
          changed[at] = (changed[at] ?? 0) ^ (1 << (next() % 8));
        }
        const theirs = byZlib(changed);
        const ours = byUs(changed, theirs?.length ?? MAX_BYTES);
        assert.deepEqual(ours, theirs, `round ${round}`);
        readCount += theirs === null ? 0 : 1;
      }
      assert.ok(readCount > 0 && readCount < 2000, `${readCount} were read`);
    });
  }
});
