/** Writes an image; see `patches/memory.ts` for its form. */
import { HEAD_BYTES, MAGIC, padded, RUN_BYTES } from "../../src/worker/start/patches/memory.ts";
import { type HeapFacts, packHeap } from "./pack-heap.ts";

/** Memory is compared in blocks: a list of single bytes would be longer than the bytes it saves. */
const BLOCK_BYTES = 64;
/** A gap of up to this many equal bytes costs less than another run. */
const GAP_BYTES = 128;

type Run = readonly [start: number, end: number];

/**
 * Returns the image of an interpreter's memory; inverse of `restoreMemory`.
 *
 * With facts about the heap, the memory is changed to what a start will restore: its free memory
 * and the order of the collector's objects are then others.
 */
export function packMemory(
  fresh: Uint8Array,
  memory: Uint8Array<ArrayBuffer>,
  references: Uint8Array,
  facts: HeapFacts | null,
): Uint8Array<ArrayBuffer> {
  const heap =
    facts === null ? { start: 0, end: 0, bytes: new Uint8Array() } : packHeap(memory.buffer, facts);
  const runs = differingRuns(fresh, memory, heap);
  const heapAt = HEAD_BYTES + runs.length * RUN_BYTES + padded(references.length);
  const bodiesAt = heapAt + heap.bytes.length;
  const bytes = runs.reduce((sum, [start, end]) => sum + end - start, bodiesAt);
  const image = new Uint8Array(bytes);
  const view = new DataView(image.buffer);
  const numbers = [MAGIC, memory.length, runs.length, references.length, heap.bytes.length];
  for (const [start, end] of runs) {
    numbers.push(start, end - start);
  }
  for (const [index, number] of numbers.entries()) {
    view.setUint32(index * 4, number, true);
  }
  image.set(references, HEAD_BYTES + runs.length * RUN_BYTES);
  image.set(heap.bytes, heapAt);
  let at = bodiesAt;
  for (const [start, end] of runs) {
    image.set(memory.subarray(start, end), at);
    at += end - start;
  }
  return image;
}

/** The heap is left out, except for its first and its last block. */
function differingRuns(
  fresh: Uint8Array,
  memory: Uint8Array,
  heap: { readonly start: number; readonly end: number },
): Run[] {
  const runs: [start: number, end: number][] = [];
  for (let start = 0; start < memory.length; start += BLOCK_BYTES) {
    const end = Math.min(start + BLOCK_BYTES, memory.length);
    const isOfHeap = start > heap.start && end < heap.end;
    if (isOfHeap || isEqual(fresh, memory, start, end)) {
      continue;
    }
    const last = runs.at(-1);
    if (last !== undefined && start - last[1] <= GAP_BYTES) {
      last[1] = end;
    } else {
      runs.push([start, end]);
    }
  }
  return runs;
}

/** Memory beyond that of a fresh interpreter is zero when it is added. */
function isEqual(fresh: Uint8Array, memory: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if ((fresh[at] ?? 0) !== memory[at]) {
      return false;
    }
  }
  return true;
}
