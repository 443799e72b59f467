/** What functions of a module lead to. */
import { referencesOf } from "./instructions.ts";
import { KIND, type WasmModule } from "./wasm-module.ts";

/** Returns how many functions a module imports, and so the number of the first that it defines. */
export function importedFunctions(module: WasmModule): number {
  return module.imports.filter(({ kind }) => kind === KIND.function).length;
}

/** Returns the functions that can be called, from these or by the table, and the globals they use. */
export function reachableFrom(
  module: WasmModule,
  roots: readonly number[],
): { functions: Set<number>; globals: Set<number> } {
  const functions = new Set([...roots, ...module.elements.flatMap((element) => element.functions)]);
  const globals = new Set<number>();
  const firstBody = importedFunctions(module);
  // A set's iteration includes what is added during it.
  for (const index of functions) {
    const body = module.bodies[index - firstBody];
    for (const reference of body === undefined ? [] : referencesOf(body)) {
      if (reference.space === "function") {
        functions.add(reference.index);
      } else if (reference.space === "global") {
        globals.add(reference.index);
      }
    }
  }
  return { functions, globals };
}
