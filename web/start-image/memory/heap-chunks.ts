/** The chunks of `malloc`'s heap, and the objects of Python in them. */
import { rowWords, TREATMENT } from "../../src/worker/start/heap-rows.ts";

/** A piece of the heap; its content begins eight bytes behind its address. */
export interface Chunk {
  readonly address: number;
  readonly bytes: number;
  readonly isUsed: boolean;
}

const CONTENT_AT = 8;
const SMALLEST_CHUNK_BYTES = 16;
/** The data of the side module lies before the heap. */
const LONGEST_SKIP_BYTES = 1 << 22;
/** Other data before the heap could else be taken for its first chunk. */
const LARGEST_FIRST_BYTES = 1024;
/** By chance, other data is a chain of a few chunks. */
const FEWEST_CHUNKS = 1000;
const IS_USED = 2;
const IS_AFTER_USED = 1;
const SIZE = ~7;

/** Where the words of an object's type are, in bytes, and the flags of a type. */
const TYPE = { flags: 84, isTypeOfTypes: 1 << 31, isCollected: 1 << 14, hasWordsBefore: 3 << 3 };

/** Returns the first word of a chunk's content, as its number in the memory. */
export function contentOf(chunk: Chunk): number {
  return (chunk.address + CONTENT_AT) >> 2;
}

/**
 * Returns the chunks of the heap that begins behind `from`, without the last one, which can grow,
 * and without large ones at its beginning.
 *
 * Throws if there is no heap.
 */
export function findChunks(words: Int32Array, from: number): Chunk[] {
  for (let start = from & SIZE; start < from + LONGEST_SKIP_BYTES; start += 8) {
    const head = words[(start >> 2) + 1] ?? 0;
    if ((head & IS_AFTER_USED) === 0 || head > LARGEST_FIRST_BYTES) {
      continue;
    }
    const chunks = chunksFrom(words, start);
    if (chunks.length >= FEWEST_CHUNKS) {
      return chunks;
    }
  }
  throw new Error("the heap was not found");
}

function chunksFrom(words: Int32Array, start: number): Chunk[] {
  const chunks: Chunk[] = [];
  let address = start;
  for (;;) {
    const head = words[(address >> 2) + 1] ?? 0;
    const bytes = head & SIZE;
    const next = (address + bytes) >> 2;
    if (bytes < SMALLEST_CHUNK_BYTES || next + 1 >= words.length) {
      return chunks;
    }
    const isUsed = (head & IS_USED) !== 0;
    if (((words[next + 1] ?? 0) & 1) !== Number(isUsed) || (!isUsed && words[next] !== bytes)) {
      return chunks;
    }
    chunks.push({ address, bytes, isUsed });
    address += bytes;
  }
}

/** Writes zeros where `malloc` keeps nothing in a free chunk. */
export function clearFreeChunks(words: Int32Array, chunks: readonly Chunk[]): void {
  for (const chunk of chunks) {
    if (!chunk.isUsed) {
      const content = contentOf(chunk);
      const end = (chunk.address + chunk.bytes) >> 2;
      words.fill(0, content + rowWords(chunk.bytes, TREATMENT.free), end);
    }
  }
}

/** The type of the object in a chunk, and by which word of the content the object begins. */
export interface Found {
  readonly type: number;
  readonly objectAt: number;
}

/** Recognises objects by their types; a wrong guess makes an image larger, and never wrong. */
export class ObjectFinder {
  readonly #words: Int32Array;
  readonly #typeOfTypes: number;

  constructor(words: Int32Array, typeOfTypes: number) {
    this.#words = words;
    this.#typeOfTypes = typeOfTypes;
  }

  /** Returns null for what is no object. */
  find(chunk: Chunk): Found | null {
    const content = contentOf(chunk);
    for (const objectAt of [0, 2, 4]) {
      const type = this.#words[content + objectAt + 1] ?? 0;
      if ((objectAt + 3) * 4 <= chunk.bytes && this.#beginningOf(type) === objectAt) {
        return { type, objectAt };
      }
    }
    return null;
  }

  /** By which word of a chunk the objects of a type begin; null for what is no type. */
  #beginningOf(type: number): number | null {
    if (!this.#isType(type)) {
      return null;
    }
    const flags = this.#flagsOf(type);
    if ((flags & TYPE.isCollected) === 0) {
      return 0;
    }
    return (flags & TYPE.hasWordsBefore) === 0 ? 2 : 4;
  }

  #isType(address: number): boolean {
    const type = this.#typeOf(address);
    return (
      type === this.#typeOfTypes ||
      (this.#typeOf(type) === this.#typeOfTypes && (this.#flagsOf(type) & TYPE.isTypeOfTypes) !== 0)
    );
  }

  #typeOf(address: number): number {
    return address > 0 && address % 4 === 0 ? (this.#words[(address >> 2) + 1] ?? 0) : 0;
  }

  #flagsOf(type: number): number {
    return this.#words[(type + TYPE.flags) >> 2] ?? 0;
  }
}
