/** Patches of the globals that Pyodide's code finds while it loads. */

// `fetch`, replaced for a while.
//
// Pyodide fetches its code, the standard library and the wheels by itself, and has no option to
// prevent that. Without the patch a start from an image downloads 8 MB a second time, and the
// single file cannot start from the packages at all, since no file lies beside it.

/**
 * Runs work while `fetch` asks `answer` first, and the network only if that returns null.
 *
 * An abort puts `fetch` back at once: work that never ends would otherwise keep its patch, and the
 * next start in this worker would run under it.
 */
export async function answeringFetch<Outcome>(
  answer: (address: string) => Promise<Response | null>,
  work: () => Promise<Outcome>,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { fetch } = globalThis;
  const patched: typeof fetch = async (input, init) =>
    (await answer(input instanceof Request ? input.url : String(input))) ?? fetch(input, init);
  const restore = () => {
    // Another start may have its own patch by now.
    if (globalThis.fetch === patched) {
      globalThis.fetch = fetch;
    }
  };
  globalThis.fetch = patched;
  signal?.addEventListener("abort", restore, { once: true });
  try {
    return await work();
  } finally {
    signal?.removeEventListener("abort", restore);
    restore();
  }
}

// Pyodide's own fetch of the interpreter.
//
// Pyodide fetches `pyodide.asm.wasm` before it creates a module, whether that module needs it or
// not, and under Node a missing file ends the program. The package has no such file, but its two
// parts. Pyodide leaves the code to Emscripten where a global of this name exists.

const CONVERTER = "WasmOffsetConverter";

/** Runs work that loads Pyodide, whose loader then fetches no code. */
export async function withoutOwnCode<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  Object.defineProperty(globalThis, CONVERTER, { value: null, configurable: true });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(globalThis, CONVERTER);
  }
}

// A classic worker, for the single file.
//
// Chromium starts no module worker from a Blob of a page without an origin, such as a file from
// disk. Pyodide recognises a classic worker by `importScripts` and refuses it, although it imports
// its modules there as anywhere. Without the patch the single file does not start.

/** Makes Pyodide take a classic worker for a module worker. */
export function passForModuleWorker(): void {
  Object.defineProperty(globalThis, "importScripts", { value: undefined });
}
