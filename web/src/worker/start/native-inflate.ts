/** The zlib of the interpreter, which inflates small files four times as fast as JavaScript. */
import { isRecord } from "../../lib/checks.ts";
import type { FastInflate } from "../../sources/tree.ts";

/** Of these sizes the interpreter's memory holds one block each; larger files come in pieces. */
const INPUT_BYTES = 64 * 1024;
const OUTPUT_BYTES = 256 * 1024;

/** `z_stream` of zlib: its size, and the places of its numbers, in words of four bytes. */
const STREAM_BYTES = 56;
const NEXT_INPUT = 0;
const INPUT_LEFT = 1;
const NEXT_OUTPUT = 3;
const OUTPUT_LEFT = 4;

/** Raw deflate, with the longest way back. */
const WINDOW_BITS = -15;
/** zlib compares the first character only. */
const VERSION = "1\0";
const FINISH = 4;
const OK = 0;
const STREAM_END = 1;
/** There was no room for all of the output, or the input ended. */
const BUFFER_ERROR = -5;

/**
 * The functions of zlib that inflate, as its manual describes them.
 *
 * Python has them for its own module `zlib`; `web/start-image/code/trim.ts` keeps what is named here.
 */
export interface ZlibModule {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  _inflateInit2_(stream: number, windowBits: number, version: number, streamBytes: number): number;
  _inflateReset(stream: number): number;
  _inflate(stream: number, flush: number): number;
  _crc32(before: number, address: number, bytes: number): number;
}

/** Returns the zlib of an interpreter; null if it has none. */
export function zlibOf(pyodide: object): ZlibModule | null {
  const module = "_module" in pyodide ? pyodide._module : null;
  return isZlibModule(module) ? module : null;
}

function isZlibModule(module: unknown): module is ZlibModule {
  const names = ["_malloc", "_inflateInit2_", "_inflateReset", "_inflate", "_crc32"];
  return isRecord(module) && names.every((name) => typeof module[name] === "function");
}

/**
 * Returns what inflates by the interpreter's code.
 *
 * `isReady` tells whether that code is there: a read that waited for it would take longer than
 * JavaScript does. Blocks of a fixed size are kept in the interpreter's memory, whatever is inflated.
 */
export function nativeInflate(module: ZlibModule, isReady: () => boolean): FastInflate {
  let stream: Stream | null = null;
  return (compressed, bytes) => {
    if (!isReady()) {
      return null;
    }
    stream ??= new Stream(module);
    return stream.inflate(compressed, bytes);
  };
}

class Stream {
  readonly #module: ZlibModule;
  readonly #address: number;
  readonly #input: number;
  readonly #output: number;
  readonly #isOpen: boolean;

  constructor(module: ZlibModule) {
    this.#module = module;
    this.#input = module._malloc(INPUT_BYTES + OUTPUT_BYTES + STREAM_BYTES + VERSION.length);
    this.#output = this.#input + INPUT_BYTES;
    this.#address = this.#output + OUTPUT_BYTES;
    const version = this.#address + STREAM_BYTES;
    if (this.#input !== 0) {
      module.HEAPU8.fill(0, this.#address, version);
      module.HEAPU8.set(new TextEncoder().encode(VERSION), version);
    }
    this.#isOpen =
      this.#input !== 0 &&
      module._inflateInit2_(this.#address, WINDOW_BITS, version, STREAM_BYTES) === OK;
  }

  /** Fills `bytes`; returns their CRC-32, or null if this is not exactly what the input holds. */
  inflate(compressed: Uint8Array, bytes: Uint8Array): number | null {
    const module = this.#module;
    if (!this.#isOpen || module._inflateReset(this.#address) !== OK) {
      return null;
    }
    let taken = 0;
    let filled = 0;
    let crc32 = 0;
    let code = OK;
    this.#set(INPUT_LEFT, 0);
    while (code === OK || code === BUFFER_ERROR) {
      if (this.#get(INPUT_LEFT) === 0) {
        const piece = compressed.subarray(taken, taken + INPUT_BYTES);
        module.HEAPU8.set(piece, this.#input);
        this.#set(NEXT_INPUT, this.#input);
        this.#set(INPUT_LEFT, piece.byteLength);
        taken += piece.byteLength;
      }
      const room = Math.min(OUTPUT_BYTES, bytes.byteLength - filled);
      const before = this.#get(INPUT_LEFT);
      this.#set(NEXT_OUTPUT, this.#output);
      this.#set(OUTPUT_LEFT, room);
      code = module._inflate(this.#address, taken === compressed.byteLength ? FINISH : OK);
      const made = room - this.#get(OUTPUT_LEFT);
      if (code < OK && code !== BUFFER_ERROR) {
        return null;
      }
      if (made === 0 && code !== STREAM_END && this.#get(INPUT_LEFT) === before) {
        return null;
      }
      bytes.set(module.HEAPU8.subarray(this.#output, this.#output + made), filled);
      crc32 = module._crc32(crc32, this.#output, made);
      filled += made;
    }
    return code === STREAM_END && filled === bytes.byteLength ? crc32 >>> 0 : null;
  }

  #get(word: number): number {
    return this.#module.HEAPU32[this.#address / 4 + word] ?? 0;
  }

  #set(word: number, value: number): void {
    this.#module.HEAPU32[this.#address / 4 + word] = value;
  }
}
