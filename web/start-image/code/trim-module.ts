/** Removes from a module what its surroundings do not need. */
import { renumbered, TRAPPING_BODY } from "./instructions.ts";
import { importedFunctions, reachableFrom } from "./reachable.ts";
import {
  type Import,
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
 * table of functions is the same. The number of a JavaScript function that no function reads is no
 * import any more: Emscripten would compile a module for each of them.
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
  const imported = module.imports.filter(({ kind }) => kind === KIND.global);
  const isGone = (entry: Import, index: number) => entry.module === NUMBERS && !globals.has(index);
  const gone = imported.filter(isGone);
  const kept = imported.filter((entry) => !gone.includes(entry));
  const places = new Map(
    imported.map((entry, index) => [index, [...kept, ...gone].indexOf(entry)]),
  );
  const firstBody = importedFunctions(module);
  return writeModule(
    module.sections,
    new Map([
      [SECTION.imports, writeImports(module.imports.filter((entry) => !gone.includes(entry)))],
      [
        SECTION.globals,
        // Behind the imports that are kept, so that all others keep their numbers.
        writeGlobals([...gone.map(({ type }) => ({ type, initial: ZERO })), ...module.globals]),
      ],
      [SECTION.exports, writeExports(exports)],
      [
        SECTION.code,
        writeBodies(
          module.bodies.map((body, index) =>
            functions.has(firstBody + index)
              ? renumbered(body, (space, target) =>
                  space === "global" ? (places.get(target) ?? target) : target,
                )
              : TRAPPING_BODY,
          ),
        ),
      ],
    ]),
  );
}
