/** Removes from a module what its surroundings do not need. */
import { TRAPPING_BODY } from "./instructions.ts";
import { importedFunctions, reachableFrom } from "./reachable.ts";
import {
  KIND,
  readModule,
  SECTION,
  writeBodies,
  writeExports,
  writeGlobals,
  writeImports,
  writeModule,
} from "./wasm-module.ts";

/** By these imports Emscripten passes the numbers of JavaScript functions. */
const NUMBERS = "GOT.func";
/** `i32.const 0`, `end`. */
const ZERO = Uint8Array.of(0x41, 0, 0x0b);

/**
 * Returns a module without the functions and globals that are exported in vain.
 *
 * A function that can no longer be called traps, and keeps its number, as do all others; so the
 * table of functions is the same. The numbers of JavaScript functions are no imports any more:
 * Emscripten would compile a module for each of them. Throws if a function that can be called reads
 * one.
 */
export function trimModule(
  bytes: Uint8Array,
  isNeeded: (exported: string) => boolean,
): Uint8Array<ArrayBuffer> {
  const module = readModule(bytes);
  const exports = module.exports.filter(
    ({ name, kind }) => (kind !== KIND.function && kind !== KIND.global) || isNeeded(name),
  );
  const called = exports.filter(({ kind }) => kind === KIND.function).map(({ index }) => index);
  const roots = module.start === null ? called : [...called, module.start];
  const { functions, globals } = reachableFrom(module, roots);
  const numbers = module.imports.filter(({ kind }) => kind === KIND.global);
  for (const [index, { module: space, name }] of numbers.entries()) {
    if (space !== NUMBERS || globals.has(index)) {
      throw new Error(`the imported global ${name} cannot be removed`);
    }
  }
  const firstBody = importedFunctions(module);
  return writeModule(
    module.sections,
    new Map([
      [SECTION.imports, writeImports(module.imports.filter(({ kind }) => kind !== KIND.global))],
      [
        SECTION.globals,
        // In the place of the imports, so that all others keep their numbers.
        writeGlobals([...numbers.map(({ type }) => ({ type, initial: ZERO })), ...module.globals]),
      ],
      [SECTION.exports, writeExports(exports)],
      [
        SECTION.code,
        writeBodies(
          module.bodies.map((body, index) =>
            functions.has(firstBody + index) ? body : TRAPPING_BODY,
          ),
        ),
      ],
    ]),
  );
}
