/** Patches that make the memory of an image that of an interpreter. */
import type { EmscriptenModule } from "./pyodide-types.ts";

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
export function keepingTrampoline(module: EmscriptenModule, write: () => void): void {
  const { HEAP32, __PyRuntime, __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: offset } = module;
  const trampoline = (__PyRuntime + (HEAP32[offset >> 2] ?? 0)) >> 2;
  const kept = HEAP32[trampoline] ?? 0;
  write();
  HEAP32[trampoline] = kept;
}
