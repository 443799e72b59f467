import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { constants, deflateRawSync, inflateRawSync, type ZlibOptions } from "node:zlib";
import { inflateInto } from "../src/sources/archives/zip/inflate.ts";

/** Numbers that look random, and are the same ones each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

function noise(length: number): Buffer {
  const next = numbers(length);
  return Buffer.from(Array.from({ length }, () => next() & 255));
}

function words(count: number): Buffer {
  const next = numbers(count);
  return Buffer.from(Array.from({ length: count }, () => `word${next() % 977}`).join(" "));
}

const CONTENTS: readonly [string, Buffer][] = [
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from("x")],
  ["all bytes", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["noise", noise(100_000)],
  ["words", words(15_000)],
  ["zeros", Buffer.alloc(200_000)],
  ["a pattern of two", Buffer.from("ab".repeat(50_000))],
  ["noise that comes back from far", Buffer.concat([noise(32_000), noise(700), noise(32_000)])],
  ["the longest way back", Buffer.concat([noise(32_768), noise(32_768).subarray(0, 300)])],
];
const WAYS: readonly [string, ZlibOptions][] = [
  ["stored", { level: 0 }],
  ["fast", { level: 1 }],
  ["best", { level: 9, memLevel: 9 }],
  ["in small blocks", { level: 6, memLevel: 1 }],
  ["by fixed codes", { strategy: constants.Z_FIXED }],
  ["by codes alone", { strategy: constants.Z_HUFFMAN_ONLY }],
  ["by runs", { strategy: constants.Z_RLE }],
];

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
