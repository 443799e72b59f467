import assert from "node:assert/strict";
import { test } from "node:test";
import { restoreHeap } from "../../src/worker/start/heap-rows.ts";
import { packHeap } from "../../start-image/memory/pack-heap.ts";

const HEAP = 4096;
const WORDS = 131_072;
/** Where the types and the head of the collector's list lie, before the heap. */
const [TYPE, STRING_TYPE, TUPLE_TYPE, LIST_HEAD] = [256, 512, 768, 1024];
const IS_COLLECTED = 1 << 14;
/** The size of the chunk that can grow. */
const END = 4096;

/** A hash that depends on the place and the length. */
const hash = (address: number, length: number) => address * 31 + length;

/** Builds a heap as `malloc` lays it out. */
class Heap {
  readonly words = new Int32Array(WORDS);
  #at = HEAP;
  #isAfterUsed = 1;

  constructor() {
    for (const [type, flags] of [
      [TYPE, 0],
      [STRING_TYPE, 0],
      [TUPLE_TYPE, IS_COLLECTED],
    ] as const) {
      this.words[type / 4 + 1] = TYPE;
      this.words[(type + 84) / 4] = flags;
    }
  }

  /** Adds a chunk, and returns the address of its content. */
  add(content: readonly number[], isUsed = true): number {
    const bytes = Math.max(16, Math.ceil((content.length + 1) / 2) * 8);
    const head = this.#at;
    this.words[head / 4 + 1] = bytes | (isUsed ? 2 : 0) | this.#isAfterUsed;
    this.words.set(content, head / 4 + 2);
    this.#at += bytes;
    if (!isUsed) {
      this.words[this.#at / 4] = bytes;
    }
    this.#isAfterUsed = isUsed ? 1 : 0;
    return head + 8;
  }

  addString(length: number): number {
    const address = this.add([1, STRING_TYPE, length, 0, 0, 0x61616161, 0x62626262]);
    this.words[address / 4 + 3] = hash(address + 20, length);
    return address;
  }

  get endAt(): number {
    return this.#at;
  }

  /** Closes the heap by the chunk that can grow, which no image has. */
  end(): void {
    this.words[this.#at / 4 + 1] = END | this.#isAfterUsed;
  }
}

/** Links nodes in a circle, in any order. */
function link(words: Int32Array, nodes: readonly number[]): void {
  for (const [index, node] of nodes.entries()) {
    const next = nodes[(index + 1) % nodes.length] ?? 0;
    words[node / 4] = next;
    words[next / 4 + 1] = node;
  }
}

const facts = { heapBase: HEAP - 8, typeOfTypes: TYPE, typeOfStrings: STRING_TYPE, hash };

function restored(heap: Heap, bytes: Uint8Array): Int32Array {
  // What lies before and behind the heap is restored by others; the heap itself is dirty.
  const words = heap.words.slice();
  words.fill(0x5a5a5a5a, HEAP / 4 + 1, heap.endAt / 4 + 1);
  restoreHeap(bytes, words.buffer, hash);
  return words;
}

test("a heap is restored word for word, with links, hashes and indexes", () => {
  const heap = new Heap();
  const nodes = [LIST_HEAD];
  for (let count = 0; count < 1200; count += 1) {
    heap.addString(3 + (count % 5));
    nodes.push(heap.add([0, 0, 1, TUPLE_TYPE, count]));
    heap.add([7, 7, 7]);
    if (count % 9 === 0) {
      heap.add(new Array(count).fill(count));
    }
  }
  const first = heap.addString(4);
  const second = heap.addString(5);
  // Places 8, index of 8 bytes, texts as keys; two entries.
  const index = new Uint8Array(8).fill(255);
  for (const [number, key] of [first, second].entries()) {
    let place = (heap.words[key / 4 + 3] ?? 0) & 7;
    let perturb = (heap.words[key / 4 + 3] ?? 0) >>> 0;
    while (index[place] !== 255) {
      perturb >>>= 5;
      place = (place * 5 + perturb + 1) & 7;
    }
    index[place] = number;
  }
  const indexWords = [...new Int32Array(index.buffer)];
  heap.add([1, 0x0001_0303, 0, 3, 2, ...indexWords, first, 1, second, 2]);
  heap.end();
  // Backwards: the packing sorts them.
  link(heap.words, [LIST_HEAD, ...nodes.slice(1).reverse()]);

  const packed = packHeap(heap.words.buffer, facts);

  assert.deepEqual(restored(heap, packed.bytes), heap.words);
  assert.equal(heap.words[LIST_HEAD / 4], nodes[1]);
  assert.equal(packed.start, HEAP);
});

test("a text with another hash, and a table with another index, are written as they are", () => {
  const heap = new Heap();
  for (let count = 0; count < 1200; count += 1) {
    heap.words[heap.addString(4) / 4 + 3] = -1;
    heap.add([1, 0x0001_0303, 0, 3, 1, 0x01010101, 0x02020202, 64, 1]);
  }
  heap.end();

  const packed = packHeap(heap.words.buffer, facts);

  assert.deepEqual(restored(heap, packed.bytes), heap.words);
});

test("free memory is restored as zeros, except for what malloc keeps there", () => {
  const heap = new Heap();
  for (let count = 0; count < 1200; count += 1) {
    heap.add([count]);
    heap.add(new Array(1 + (count % 90)).fill(count + 1), false);
  }
  heap.add([1]);
  heap.end();
  const before = heap.words.slice();

  const packed = packHeap(heap.words.buffer, facts);

  assert.deepEqual(restored(heap, packed.bytes), heap.words);
  const firstFree = HEAP / 4 + 4;
  assert.deepEqual(
    heap.words.slice(firstFree, firstFree + 3),
    before.slice(firstFree, firstFree + 3),
  );
});

test("memory without a heap is refused", () => {
  const words = new Int32Array(WORDS);

  assert.throws(() => packHeap(words.buffer, facts), new Error("the heap was not found"));
});
