/** The memory that nobody uses at the moment an image is made. */

/** What Emscripten's module has of the interpreter's two allocators. */
export interface Allocators {
  readonly HEAPU8: Uint8Array;
  _sbrk(bytes: number): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _PyObject_Malloc(bytes: number): number;
  _PyObject_Free(address: number): void;
}

/** Python's own allocator has blocks of these sizes; all that is larger comes from `malloc`. */
const PYTHON_BLOCK_BYTES = Array.from({ length: 32 }, (_, index) => 512 - index * 16);
const BLOCK_BYTES = Array.from({ length: 13 }, (_, index) => 2 ** (16 - index));

/** Overwrites with zeros what was used once and is free now: zeros need not be sent. */
export function clearFreeMemory(module: Allocators | null): void {
  if (module === null) {
    throw new Error("Pyodide did not make its module");
  }
  const end = module._sbrk(0);
  const clear = (sizes: readonly number[], take: (bytes: number) => number) => {
    const taken: number[] = [];
    for (const bytes of sizes) {
      let address = take(bytes);
      // Beyond the end lies new memory: all that was free is taken.
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
