/**
 * The form of an image: what differs from the memory of a fresh interpreter.
 *
 *     magic, memory bytes, runs, reference bytes          four numbers
 *     start, length                                       of each run
 *     references, padded to four bytes                    Pyodide's record of JavaScript objects
 *     the bytes of each run
 *
 * All numbers are unsigned, of 32 bits, with the lowest byte first.
 */
import { type EmscriptenModule, keepingTrampoline } from "./pyodide-patches.ts";

const MAGIC = 0x31494754; // TGI1
const HEAD_BYTES = 16;
const RUN_BYTES = 8;
/** Memory is compared in blocks: a list of single bytes would be longer than the bytes it saves. */
const BLOCK_BYTES = 64;
/** A gap of up to this many equal bytes costs less than another run. */
const GAP_BYTES = 128;

type Run = readonly [start: number, end: number];

/** Returns the image of an interpreter's memory; inverse of `restoreMemory`. */
export function packMemory(
  fresh: Uint8Array,
  memory: Uint8Array,
  references: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const runs = differingRuns(fresh, memory);
  const bodiesAt = HEAD_BYTES + runs.length * RUN_BYTES + padded(references.length);
  const bytes = runs.reduce((sum, [start, end]) => sum + end - start, bodiesAt);
  const image = new Uint8Array(bytes);
  const view = new DataView(image.buffer);
  const numbers = [MAGIC, memory.length, runs.length, references.length];
  for (const [start, end] of runs) {
    numbers.push(start, end - start);
  }
  for (const [index, number] of numbers.entries()) {
    view.setUint32(index * 4, number, true);
  }
  image.set(references, HEAD_BYTES + runs.length * RUN_BYTES);
  let at = bodiesAt;
  for (const [start, end] of runs) {
    image.set(memory.subarray(start, end), at);
    at += end - start;
  }
  return image;
}

/**
 * Writes an image over a fresh interpreter's memory, and returns its references for Pyodide.
 *
 * Throws if the image has another form, before it changes any memory.
 */
export function restoreMemory(module: EmscriptenModule, image: Uint8Array): unknown {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const number = (index: number) => view.getUint32(index * 4, true);
  if (image.byteLength < HEAD_BYTES || number(0) !== MAGIC) {
    throw new Error("the image has another form");
  }
  const [memoryBytes, runs, referenceBytes] = [number(1), number(2), number(3)];
  let at = HEAD_BYTES + runs * RUN_BYTES;
  const references: unknown = JSON.parse(
    new TextDecoder().decode(image.subarray(at, at + referenceBytes)),
  );
  at += padded(referenceBytes);
  if (module.HEAPU8.length < memoryBytes) {
    module.growMemory(memoryBytes);
  }
  keepingTrampoline(module, () => {
    for (let run = 0; run < runs; run += 1) {
      const length = number(5 + run * 2);
      module.HEAPU8.set(image.subarray(at, at + length), number(4 + run * 2));
      at += length;
    }
  });
  return references;
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

function differingRuns(fresh: Uint8Array, memory: Uint8Array): Run[] {
  const runs: [start: number, end: number][] = [];
  for (let start = 0; start < memory.length; start += BLOCK_BYTES) {
    const end = Math.min(start + BLOCK_BYTES, memory.length);
    if (isEqual(fresh, memory, start, end)) {
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
