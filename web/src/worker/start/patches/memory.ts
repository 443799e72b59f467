/**
 * The memory of an image, and the patches that make it that of an interpreter.
 *
 * An image has what differs from the memory of a fresh interpreter:
 *
 *     magic, memory bytes, runs, reference bytes, heap bytes      five numbers
 *     start, length                                               of each run
 *     references, padded to four bytes                            Pyodide's record of JavaScript objects
 *     the heap, or nothing                                        see `heap-rows.ts`
 *     the bytes of each run
 *
 * All numbers are unsigned, of 32 bits, with the lowest byte first.
 */
import { restoreHeap } from "../heap-rows.ts";
import type { EmscriptenModule } from "./pyodide-types.ts";

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

/**
 * Returns a number that tells whether the engine put every function where the image expects it.
 *
 * An image calls functions by their number in the table: with other numbers it would call others.
 */
export function fingerprintOf(addresses: Readonly<Record<string, { readonly value: number }>>) {
  let hash = 0;
  // Without the names: the two modules fix their order, and hashing them would take as long as
  // restoring the memory.
  for (const name in addresses) {
    hash = (Math.imul(hash, 31) + (addresses[name]?.value ?? 0)) | 0;
  }
  return hash >>> 0;
}

// Snapshots of the memory.
//
// Pyodide can restore a snapshot of its whole memory, by the unpublished option `_loadSnapshot`. An
// image holds only what differs from a fresh interpreter, so the option gets a placeholder, of
// which Pyodide reads the length alone, and its restoring function is replaced. Without the patch a
// page would have to fetch the whole memory.

export const NO_SNAPSHOT = new Uint8Array(64);

/** Makes Pyodide restore the memory by `restore`, which returns what the image says of references. */
export function restoringBy(module: EmscriptenModule, restore: () => unknown): void {
  module.API.restoreSnapshot = restore;
}

// The lines of Python that Pyodide runs once its memory is restored.
//
// Pyodide looks up modules and dictionaries by lines of Python. Nothing else in a start compiles
// Python, so that the engine would compile Python's compiler for them. The patch looks up the same
// objects, in the order of Pyodide's lines. Without it a start takes some 20 ms longer.

/** Keeps Pyodide from compiling Python once its memory is restored. */
export function withoutCompiling({ API: api }: EmscriptenModule): void {
  const { rawRun } = api;
  // Its one line imports a module that the image has imported.
  api.rawRun = () => {
    const { _pyodide: own } = api;
    const { builtins, import_module: importModule } = own._base;
    const objects = new Map<string, () => unknown>([
      ["{}", () => builtins.dict()],
      ["import importlib; importlib", () => importModule("importlib")],
      ["import __main__; __main__.__dict__", () => importModule("__main__").__dict__],
      ["import builtins; builtins.__dict__", () => builtins.__dict__],
    ]);
    const lookUp = (line: string) => {
      const find = objects.get(line);
      objects.delete(line);
      if (objects.size === 0) {
        api._pyodide = own;
      }
      return find?.();
    };
    api.rawRun = rawRun;
    api._pyodide = { _base: { eval_code: lookUp, builtins, import_module: importModule } };
    return [0, ""];
  };
}

// The trampoline of Python's calls.
//
// Emscripten adds a function to the table by which Python calls functions of any signature, and
// writes its number into Python's runtime. Only some engines have it, so its number may differ from
// that in the image. Without the patch Python calls another function.

/** Writes to the memory, and leaves the number of the trampoline as this engine has it. */
function keepingTrampoline(module: EmscriptenModule, write: () => void): void {
  const { HEAP32, __PyRuntime, __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: offset } = module;
  const trampoline = (__PyRuntime + (HEAP32[offset >> 2] ?? 0)) >> 2;
  const kept = HEAP32[trampoline] ?? 0;
  write();
  HEAP32[trampoline] = kept;
}
