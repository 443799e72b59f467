import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { deflateRawSync, gzipSync, inflateRawSync } from "node:zlib";
import {
  InterpreterZlib,
  type ZlibModule,
  zlibModuleOf,
} from "../../src/worker/start/interpreter-zlib.ts";
import { CONTENTS, numbers, WAYS, words } from "../support/archives/deflated.ts";
import { startPyodide } from "../support/isolate.ts";

/** The CRC-32 of "123456789", as its definition has it. */
const CHECK = 0xcbf43926;

describe("the interpreter's zlib", () => {
  let module: ZlibModule;
  let zlib: InterpreterZlib;
  before(async () => {
    module = zlibModuleOf(await startPyodide());
    zlib = new InterpreterZlib(module);
  });

  /** Returns the content, or why a content of this size is refused. */
  function outcome(compressed: Uint8Array, sizeBytes: number): string | Buffer {
    const bytes = Buffer.alloc(sizeBytes);
    try {
      zlib.inflate(compressed, bytes);
      return bytes;
    } catch (error) {
      assert(error instanceof Error);
      return error.message;
    }
  }

  test("inflates all contents, and tells what has another size than was declared", () => {
    for (const [, content] of CONTENTS) {
      for (const [, options] of WAYS) {
        const compressed = deflateRawSync(content, options);
        const behind = Buffer.concat([compressed, Buffer.from("behind")]);
        assert.deepEqual(outcome(compressed, content.length), content);
        assert.deepEqual(outcome(behind, content.length), content);
        const more = outcome(compressed, content.length + 1);
        assert.equal(more, "the content is smaller than declared");
        for (const less of content.length === 0 ? [] : [content.length - 1, 0]) {
          assert.equal(outcome(compressed, less), "the content is larger than declared");
        }
      }
    }
  });

  test("refuses a compressed form that is cut at any byte", () => {
    for (const [, options] of WAYS) {
      const compressed = deflateRawSync(words(40), options);
      for (let length = 0; length < compressed.length; length += 1) {
        const found = outcome(compressed.subarray(0, length), words(40).length);
        assert.equal(found, "the compressed form ends too early");
      }
    }
  });

  test("reads or refuses a changed compressed form as Node does", () => {
    const content = words(300);
    for (const [how, options] of WAYS) {
      const next = numbers(how.length);
      const original = deflateRawSync(content, options);
      for (let round = 0; round < 500; round += 1) {
        const changed = Buffer.from(original);
        const at = next() % (round % 2 === 0 ? Math.min(120, changed.length) : changed.length);
        changed[at] = (changed[at] ?? 0) ^ (1 << (next() % 8));
        const found = outcome(changed, content.length);
        const expected = inflatedByNode(changed);
        if (expected?.length === content.length) {
          assert.deepEqual(found, expected);
        } else {
          assert.equal(typeof found, "string");
        }
      }
    }
  });

  test("returns the checksum of what it inflates, and of bytes in pieces", () => {
    const digits = new TextEncoder().encode("123456789");
    assert.equal(zlib.inflate(deflateRawSync(digits), new Uint8Array(9)), CHECK);
    assert.equal(zlib.crc32(zlib.crc32(0, digits.subarray(0, 4)), digits.subarray(4)), CHECK);
    const large = Buffer.alloc(200_000, "needle");
    assert.equal(zlib.crc32(0, large), zlib.inflate(deflateRawSync(large), Buffer.from(large)));
  });

  test("keeps as much of the interpreter's memory for a large file as for a small one", () => {
    const before = module.HEAPU8.byteLength;
    const content = Buffer.alloc(100_000_000, "needle");
    assert.notEqual(zlib.inflate(deflateRawSync(content), Buffer.alloc(content.length)), null);
    assert.equal(module.HEAPU8.byteLength, before);
  });

  test("keeps no more of it for many archives in gzip than for one", () => {
    let taken = 0;
    const malloc = (bytes: number): number => {
      taken += 1;
      return module._malloc(bytes);
    };
    const archives = new InterpreterZlib(
      new Proxy(module, {
        get: (_, name) => (name === "_malloc" ? malloc : Reflect.get(module, name)),
      }),
    );
    for (const content of ["one", "two", "three"]) {
      const decompressor = archives.openGzip();
      decompressor.push(gzipSync(content));
      assert.equal(new TextDecoder().decode(decompressor.pull(100)), content);
      assert(decompressor.isComplete && decompressor.needsInput);
      decompressor.close();
    }
    assert.equal(taken, 1);
  });
});

/** Returns the content; null for a broken compressed form. */
function inflatedByNode(compressed: Uint8Array): Buffer | null {
  try {
    return inflateRawSync(compressed);
  } catch {
    return null;
  }
}
