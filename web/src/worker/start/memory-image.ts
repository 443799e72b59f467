/**
 * The form of an image: what differs from the memory of a fresh interpreter.
 *
 *     magic, memory bytes, runs, reference bytes, heap bytes      five numbers
 *     start, length                                               of each run
 *     references, padded to four bytes                            Pyodide's record of JavaScript objects
 *     the heap, or nothing                                        see `heap-rows.ts`
 *     the bytes of each run
 *
 * All numbers are unsigned, of 32 bits, with the lowest byte first.
 */
import { restoreHeap } from "./heap-rows.ts";
import { keepingTrampoline } from "./patches/memory.ts";
import type { EmscriptenModule } from "./patches/pyodide-types.ts";

export const MAGIC = 0x32494754; // TGI2
export const HEAD_BYTES = 20;
export const RUN_BYTES = 8;

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
  const heapBytes = number(4);
  let at = HEAD_BYTES + runs * RUN_BYTES;
  const references: unknown = JSON.parse(
    new TextDecoder().decode(image.subarray(at, at + referenceBytes)),
  );
  at += padded(referenceBytes);
  const heap = image.subarray(at, at + heapBytes);
  at += heapBytes;
  if (module.HEAPU8.length < memoryBytes) {
    module.growMemory(memoryBytes);
  }
  keepingTrampoline(module, () => {
    for (let run = 0; run < runs; run += 1) {
      const length = number(6 + run * 2);
      module.HEAPU8.set(image.subarray(at, at + length), number(5 + run * 2));
      at += length;
    }
    if (heapBytes > 0) {
      // Behind the runs: the key of the hashes is in one of them.
      restoreHeap(heap, module.HEAPU8.buffer, module._Py_HashBuffer);
    }
  });
  return references;
}

export function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
