/** Clears the memory that is free when an image is made. */

/** The interpreter's two allocators, as functions of Emscripten's module. */
export interface Allocators {
  readonly HEAPU8: Uint8Array;
  _sbrk(bytes: number): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _PyObject_Malloc(bytes: number): number;
  _PyObject_Free(address: number): void;
}

/** The block sizes of Python's own allocator; `malloc` provides larger blocks. */
const PYTHON_BLOCK_BYTES = Array.from({ length: 32 }, (_, index) => 512 - index * 16);
const BLOCK_BYTES = Array.from({ length: 13 }, (_, index) => 2 ** (16 - index));

/** Overwrites free memory with zeros, which an image does not have to contain. */
export function clearFreeMemory(module: Allocators | null): void {
  if (module === null) {
    throw new Error("Pyodide did not create its module");
  }
  const end = module._sbrk(0);
  const clear = (sizes: readonly number[], take: (bytes: number) => number) => {
    const taken: number[] = [];
    for (const bytes of sizes) {
      let address = take(bytes);
      // An address beyond the end is new memory: all free memory of this size is taken.
      while (address !== 0 && address < end) {
        module.HEAPU8.fill(0, address, address + bytes);
        taken.push(address);
        address = take(bytes);
      }
      taken.push(address);
    }
    return taken;
  };
  const blocks = clear(PYTHON_BLOCK_BYTES, (bytes) => module._PyObject_Malloc(bytes));
  const chunks = clear(BLOCK_BYTES, (bytes) => module._malloc(bytes));
  for (const address of blocks) {
    module._PyObject_Free(address);
  }
  for (const address of chunks) {
    module._free(address);
  }
}
