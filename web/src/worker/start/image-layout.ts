/** The layout that an image's maker and its restorer must share: addresses in an image depend on it. */

/** The path of pydantic's compiled part; an empty file there is enough for the interpreter. */
export const SIDE_MODULE_PATH =
  "/lib/python3.14/site-packages/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so";

/** The archive of Python's own modules, in the folder of Pyodide's files. */
export const STANDARD_LIBRARY = "python_stdlib.zip.bin";
/** The path at which the interpreter looks for it. */
export const STANDARD_LIBRARY_PATH = "/lib/python314.zip";

/** The folder of the wheels whose modules are not in the image yet; see `late-modules.ts`. */
export const LATE_FOLDER = "/treeglass/late";

/**
 * Engines with newer instructions fill one more slot of the function table, which would move all
 * code that is loaded later by one: the side module starts here instead.
 */
export const SIDE_MODULE_TABLE_BASE = 16_384;

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
