import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { inflateInto } from "../../src/sources/archives/zip/inflate.ts";
import type { FastInflate } from "../../src/sources/tree.ts";
import { nativeInflate, type ZlibModule, zlibOf } from "../../src/worker/start/native-inflate.ts";
import { CONTENTS, numbers, WAYS, words } from "../support/deflated.ts";
import { startPyodide } from "../support/isolate.ts";

/** The CRC-32 of "123456789", as its definition has it. */
const CHECK = 0xcbf43926;

describe("the interpreter's zlib", () => {
  let zlib: ZlibModule;
  let inflate: FastInflate;
  before(async () => {
    zlib = zlibOf(await startPyodide()) ?? assert.fail("the package leaves it out");
    inflate = nativeInflate(zlib, () => true);
  });

  /** Inflates both ways, which agree on the bytes and on what is refused; tells whether it is. */
  function isRefused(compressed: Uint8Array, sizeBytes: number): boolean {
    const [fast, slow] = [Buffer.alloc(sizeBytes), Buffer.alloc(sizeBytes)];
    const isRefusedByJavaScript = (() => {
      try {
        inflateInto(compressed, slow);
        return false;
      } catch {
        return true;
      }
    })();
    assert.equal(inflate(compressed, fast) === null, isRefusedByJavaScript);
    assert(isRefusedByJavaScript || fast.equals(slow));
    return isRefusedByJavaScript;
  }

  test("inflates all contents and no other size, as JavaScript does", () => {
    for (const [, content] of CONTENTS) {
      for (const [, options] of WAYS) {
        const compressed = deflateRawSync(content, options);
        assert(!isRefused(compressed, content.length));
        assert(isRefused(compressed, content.length + 1));
        assert(content.length === 0 || isRefused(compressed, content.length - 1));
        assert(content.length === 0 || isRefused(compressed, 0));
      }
    }
  });

  test("refuses a compressed form that is cut at any byte", () => {
    for (const [, options] of WAYS) {
      const compressed = deflateRawSync(words(40), options);
      for (let length = 0; length < compressed.length; length += 1) {
        assert(isRefused(compressed.subarray(0, length), words(40).length));
      }
    }
  });

  test("reads or refuses a changed compressed form as JavaScript does", () => {
    const content = words(300);
    for (const [how, options] of WAYS) {
      const next = numbers(how.length);
      const original = deflateRawSync(content, options);
      for (let round = 0; round < 500; round += 1) {
        const changed = Buffer.from(original);
        const at = next() % (round % 2 === 0 ? Math.min(120, changed.length) : changed.length);
        changed[at] = (changed[at] ?? 0) ^ (1 << (next() % 8));
        isRefused(changed, content.length);
      }
    }
  });

  test("returns the checksum of what it inflates", () => {
    assert.equal(inflate(deflateRawSync("123456789"), new Uint8Array(9)), CHECK);
  });

  test("keeps as much of the interpreter's memory for a large file as for a small one", () => {
    const before = zlib.HEAPU8.byteLength;
    const content = Buffer.alloc(100_000_000, "needle");
    assert.notEqual(inflate(deflateRawSync(content), Buffer.alloc(content.length)), null);
    assert.equal(zlib.HEAPU8.byteLength, before);
  });

  test("is left alone until its code is there", () => {
    const neverCalled = { ...zlib, _inflateInit2_: () => assert.fail() };
    const notYet = nativeInflate(neverCalled, () => false);
    assert.equal(notYet(deflateRawSync("a"), new Uint8Array(1)), null);
  });
});
