/** Pyodide's JavaScript modules: imported from the assets, and patches of what their code finds. */
import type { PyodideAPI } from "pyodide";
import { isRecord } from "../../lib/checks.ts";
import { readIntact } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { WorkerHost } from "../worker-host.ts";
import type { CreateModule } from "./patches/pyodide-types.ts";

type PyodideModule = typeof import("pyodide");

const LOADER = "pyodide.mjs";
const CREATOR = "pyodide.asm.mjs";
/** The archive of Python's own modules, in the folder of Pyodide's files. */
export const STANDARD_LIBRARY = "python_stdlib.zip.bin";

/** Passed to Pyodide at every start; an image holds an interpreter that was started with it. */
export const START_OPTIONS = {
  // There are no plugins, and the search for them imports a dozen modules at every start.
  env: { HOME: "/home/pyodide", PYDANTIC_DISABLE_PLUGINS: "__all__" },
  // Python's output would otherwise appear in the page's console.
  stdout: () => undefined,
  stderr: () => undefined,
} as const;

/** Starts an interpreter from these folders; the options are those of one way to start. */
export function loadInterpreter(
  loader: Pick<PyodideModule, "loadPyodide">,
  { pyodide, packages }: StartFolders,
  options: object,
): Promise<PyodideAPI> {
  // Pyodide's type does not have the options of an image.
  const loadPyodide = loader.loadPyodide as unknown as (all: object) => Promise<PyodideAPI>;
  return withoutOwnCode(() =>
    loadPyodide({
      ...START_OPTIONS,
      indexURL: pyodide,
      stdLibURL: `${pyodide}${STANDARD_LIBRARY}`,
      packageBaseUrl: packages,
      ...options,
    }),
  );
}

/** By host and address: a start imports each module once. */
const imported = new WeakMap<WorkerHost, Map<string, Promise<unknown>>>();

/** Imports Pyodide's loader; throws `AssetFault`, or `StartFailed` with what to do. */
export async function importPyodide(
  host: WorkerHost,
  folders: StartFolders,
): Promise<PyodideModule> {
  const module = await importIntact(host, folders, LOADER);
  if (isPyodideModule(module)) {
    return module;
  }
  throw missingAssets(host, folders.assets, `${LOADER} is not Pyodide`);
}

/** Begins to import Pyodide's modules; a later import of them waits for this one, or fails alike. */
export function beginToImport(host: WorkerHost, folders: StartFolders): void {
  for (const name of [LOADER, CREATOR]) {
    importIntact(host, folders, name).catch(() => undefined);
  }
}

/** Imports the function that creates Emscripten's module; throws `AssetFault` or `StartFailed`. */
export async function importCreateModule(
  host: WorkerHost,
  folders: StartFolders,
): Promise<CreateModule> {
  const module = await importIntact(host, folders, CREATOR);
  if (isRecord(module) && typeof module.default === "function") {
    // Its arguments and its result are checked where they are used.
    return module.default as CreateModule;
  }
  throw missingAssets(host, folders.assets, `${CREATOR} is not Pyodide's module`);
}

function importIntact(host: WorkerHost, folders: StartFolders, name: string): Promise<unknown> {
  const modules = imported.get(host) ?? new Map<string, Promise<unknown>>();
  imported.set(host, modules);
  const address = `${folders.pyodide}${name}`;
  const module = modules.get(address) ?? importAfterCheck(host, folders, name, address);
  modules.set(address, module);
  return module;
}

async function importAfterCheck(
  host: WorkerHost,
  folders: StartFolders,
  name: string,
  address: string,
): Promise<unknown> {
  // The browser's cache then has it: no import can be compared with a hash.
  await readListed(host, folders, address);
  try {
    return await host.importModule(address);
  } catch (error) {
    throw missingAssets(host, folders.assets, whyNotImported(name, error), error);
  }
}

/** Returns a file that start.json lists, after a check; null for any other. Throws `AssetFault`. */
export async function readListed(
  host: WorkerHost,
  { assets, files }: StartFolders,
  address: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const integrity = files[address];
  if (integrity === undefined) {
    return null;
  }
  const name = address.slice(assets.length);
  return await readIntact(host.readAsset, { name, address, integrity });
}

function whyNotImported(name: string, error: unknown): string {
  // What webpack and others put into the place of an import that they cannot follow has this code.
  return isRecord(error) && error.code === "MODULE_NOT_FOUND"
    ? "a bundler replaced import() in the worker's module, which has to stay as it was published"
    : `${name} could not be loaded`;
}

function isPyodideModule(module: unknown): module is PyodideModule {
  return isRecord(module) && typeof module.loadPyodide === "function";
}

/** Returns the `StartFailed` for assets that are not as they were published. */
export function missingAssets(
  host: WorkerHost,
  assets: string,
  what: string,
  cause?: unknown,
): TreeglassError {
  return new TreeglassError("StartFailed", host.wordMissingAssets(assets, what), { cause });
}

/**
 * Returns a `StartFailed` that joins the attempt, its cause and the remedy.
 *
 * A `TreeglassError` is returned unchanged, since it has its own message.
 */
export function startFailed(asked: string, cause: unknown, remedy: string): TreeglassError {
  if (cause instanceof TreeglassError) {
    return cause;
  }
  // The runtime's errors are stack traces, and the last line names the fault.
  const lines = String(cause instanceof Error ? cause.message : cause)
    .trim()
    .split("\n");
  return new TreeglassError("StartFailed", `${asked}: ${lines.at(-1)}. ${remedy}`, { cause });
}

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
async function withoutOwnCode<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
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
