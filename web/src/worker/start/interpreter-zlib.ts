/** The zlib of the interpreter, which inflates without a wait, and stops where it is told to. */
import { isRecord } from "../../lib/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { Decompressor, Zlib } from "../../sources/source-context.ts";

/** Of these sizes the interpreter's memory holds one block each for a stream; more comes in pieces. */
const INPUT_BYTES = 64 * 1024;
const OUTPUT_BYTES = 256 * 1024;

/** `z_stream` of zlib: its size, and the places of its numbers, in words of four bytes. */
const STREAM_BYTES = 56;
const NEXT_INPUT = 0;
const INPUT_LEFT = 1;
const NEXT_OUTPUT = 3;
const OUTPUT_LEFT = 4;

/** Each with the longest way back. */
const WINDOW_BITS = { raw: -15, gzip: 31 } as const;
/** zlib compares the first character only. */
const VERSION = "1\0";
const NO_FLUSH = 0;
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

/** Returns the module of an interpreter that has zlib; throws `StartFailed` if it has none. */
export function zlibModuleOf(pyodide: object): ZlibModule {
  const module = "_module" in pyodide ? pyodide._module : null;
  if (!isZlibModule(module)) {
    throw new TreeglassError("StartFailed", "The runtime has no zlib; install the package again.");
  }
  return module;
}

function isZlibModule(module: unknown): module is ZlibModule {
  const names = ["_malloc", "_inflateInit2_", "_inflateReset", "_inflate", "_crc32"];
  return isRecord(module) && names.every((name) => typeof module[name] === "function");
}

/** Keeps what it takes of the interpreter's memory: as much for a large file as for a small one. */
export class InterpreterZlib implements Zlib {
  readonly #module: ZlibModule;
  #raw: Stream | null = null;
  /** Streams of archives that are read to their ends. */
  readonly #unused: Stream[] = [];

  constructor(module: ZlibModule) {
    this.#module = module;
  }

  inflate(compressed: Uint8Array, bytes: Uint8Array): number {
    const stream = this.#rawStream();
    stream.reset();
    let taken = 0;
    let filled = 0;
    let checksum = 0;
    while (!stream.isAtEnd) {
      if (stream.needsInput) {
        taken += stream.push(compressed.subarray(taken));
      }
      // Room for one more byte than declared tells content that is larger.
      const isLast = taken === compressed.byteLength;
      const made = stream.pull(bytes.byteLength - filled + 1, isLast);
      if (filled + made.byteLength > bytes.byteLength) {
        throw new Error("the content is larger than declared");
      }
      if (stream.needsInput && isLast && !stream.isAtEnd) {
        throw new Error("the compressed form ends too early");
      }
      bytes.set(made, filled);
      filled += made.byteLength;
      checksum = this.#module._crc32(checksum, made.byteOffset, made.byteLength);
    }
    if (filled < bytes.byteLength) {
      throw new Error("the content is smaller than declared");
    }
    return checksum >>> 0;
  }

  crc32(before: number, bytes: Uint8Array): number {
    const stream = this.#rawStream();
    let checksum = before;
    for (let at = 0; at < bytes.byteLength; ) {
      const count = stream.push(bytes.subarray(at));
      checksum = this.#module._crc32(checksum, stream.input, count);
      at += count;
    }
    return checksum >>> 0;
  }

  openGzip(): Decompressor {
    const stream = this.#unused.pop() ?? new Stream(this.#module, WINDOW_BITS.gzip);
    stream.reset();
    return {
      push: (compressed) => stream.push(compressed),
      pull(maxBytes) {
        try {
          return stream.pull(maxBytes).slice();
        } catch (cause) {
          const message = "The gzip archive is broken; make it again and retry.";
          throw new TreeglassError("SourceUnreadable", message, { cause });
        }
      },
      get needsInput() {
        return stream.needsInput;
      },
      get isComplete() {
        return stream.isAtEnd;
      },
      close: () => this.#unused.push(stream),
    };
  }

  #rawStream(): Stream {
    this.#raw ??= new Stream(this.#module, WINDOW_BITS.raw);
    return this.#raw;
  }
}

class Stream {
  readonly input: number;
  /** True if no output is left of the input so far. */
  needsInput = true;
  /** True if the compressed form has ended. */
  isAtEnd = false;
  readonly #module: ZlibModule;
  readonly #address: number;
  readonly #output: number;

  constructor(module: ZlibModule, windowBits: number) {
    this.#module = module;
    this.input = module._malloc(INPUT_BYTES + OUTPUT_BYTES + STREAM_BYTES + VERSION.length);
    this.#output = this.input + INPUT_BYTES;
    this.#address = this.#output + OUTPUT_BYTES;
    const version = this.#address + STREAM_BYTES;
    if (this.input === 0) {
      throw new Error("the interpreter has no memory left");
    }
    module.HEAPU8.fill(0, this.#address, version);
    module.HEAPU8.set(new TextEncoder().encode(VERSION), version);
    if (module._inflateInit2_(this.#address, windowBits, version, STREAM_BYTES) !== OK) {
      throw new Error("the interpreter has no memory left");
    }
  }

  /** Begins anew, without input. */
  reset(): void {
    this.#set(INPUT_LEFT, 0);
    this.needsInput = true;
    this.#restart();
  }

  /** Takes the next input, or as much of it as fits; returns how much. Call it if `needsInput`. */
  push(compressed: Uint8Array): number {
    const piece = compressed.subarray(0, INPUT_BYTES);
    this.#module.HEAPU8.set(piece, this.input);
    this.#set(NEXT_INPUT, this.input);
    this.#set(INPUT_LEFT, piece.byteLength);
    this.needsInput = piece.byteLength === 0;
    return piece.byteLength;
  }

  /**
   * Returns the next output, at most `maxBytes`, which is valid until the next call.
   *
   * After the end, another compressed form follows. Throws if the form is broken.
   */
  pull(maxBytes: number, isLast = false): Uint8Array {
    const module = this.#module;
    const room = Math.min(maxBytes, OUTPUT_BYTES);
    if (this.isAtEnd) {
      this.#restart();
    }
    this.#set(NEXT_OUTPUT, this.#output);
    this.#set(OUTPUT_LEFT, room);
    const code = module._inflate(this.#address, isLast ? FINISH : NO_FLUSH);
    if (code !== OK && code !== STREAM_END && code !== BUFFER_ERROR) {
      throw new Error("the compressed form is broken");
    }
    const made = room - this.#get(OUTPUT_LEFT);
    this.isAtEnd = code === STREAM_END;
    this.needsInput = this.#get(INPUT_LEFT) === 0 && (this.isAtEnd || made < room);
    return module.HEAPU8.subarray(this.#output, this.#output + made);
  }

  #restart(): void {
    this.#module._inflateReset(this.#address);
    this.isAtEnd = false;
  }

  #get(word: number): number {
    return this.#module.HEAPU32[this.#address / 4 + word] ?? 0;
  }

  #set(word: number, value: number): void {
    this.#module.HEAPU32[this.#address / 4 + word] = value;
  }
}
