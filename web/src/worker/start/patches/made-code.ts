/** The patch for a place that may not compile. */
import type { CreateModule, EmscriptenModule, HasExports } from "./pyodide-types.ts";

// A start that compiles nothing, for workerd.
//
// Emscripten gives a number to each JavaScript function whose address its code may take, almost all
// of them WebGL's, and wraps it in a WebAssembly module for that. workerd allows code to be
// compiled in the global scope only. The patch gives each function its number, so that all later
// functions have the numbers that an image expects, and puts no function there, since these are
// never called. Without it no client can connect inside of a request.

/** The number of a function that Emscripten has not added to its table yet. */
const UNNUMBERED = -1;

/** Returns what creates the same module without making code of its own. */
export function withoutMadeCode(createModule: CreateModule): CreateModule {
  return (settings) => {
    const { instantiateWasm } = settings;
    settings.instantiateWasm = (imports, succeed) => {
      const numberBehind = (instance: HasExports, code: WebAssembly.Module) => {
        // Emscripten makes the module out of the settings.
        const module = settings as unknown as EmscriptenModule;
        const unnumbered = Object.entries(module.GOT).filter(
          ([name, { value }]) => value === UNNUMBERED && !(name in instance.exports),
        );
        for (const [, entry] of unnumbered) {
          entry.value = 0;
        }
        succeed(instance, code);
        // Not before: the module's own functions come first.
        const numbers = new Map<unknown, number>();
        for (const [name, entry] of unnumbered) {
          const known = imports.env[name];
          const number = numbers.get(known) ?? module.wasmTable.grow(1);
          numbers.set(known, number);
          entry.value = number;
        }
      };
      return instantiateWasm?.(imports, numberBehind) ?? {};
    };
    return createModule(settings);
  };
}
