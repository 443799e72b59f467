/** A start that compiles nothing, which workerd allows in the global scope alone. */
import type { CreateModule, ImageModule } from "../../worker/start/image-module.ts";

/** What Emscripten has in the place of a function that has no number yet. */
const UNNUMBERED = -1;

/**
 * Returns what creates the same module without making code of its own.
 *
 * Emscripten gives a number to each JavaScript function whose address its code may take, WebGL's
 * almost all of them, and wraps it in a WebAssembly module for that. Here each gets its number, so
 * that whatever is numbered later has the one that an image expects, and no function behind it:
 * nobody calls them.
 */
export function withoutMadeCode(createModule: CreateModule): CreateModule {
  return (settings) => {
    const { instantiateWasm } = settings;
    settings.instantiateWasm = (imports, succeed) => {
      const numberBehind = (instance: WebAssembly.Instance, code: WebAssembly.Module) => {
        // Emscripten makes the module out of the settings.
        const module = settings as unknown as ImageModule;
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
