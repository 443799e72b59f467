/**
 * The preparation that an image needs of Emscripten's module, the same where it is made and where
 * it is restored: otherwise addresses in the image would lead elsewhere.
 *
 * Uses parts of Pyodide and Emscripten that are not public; all of them are named in this module,
 * in `memory-image.ts` and in `from-image.ts`, and whatever they do not find there ends the start
 * from an image before anything of it is used.
 */

import type { ArrivingParts } from "../../protocol/start.ts";

/** The parts of Emscripten's module that an image meets. */
export interface ImageModule {
  readonly API: { restoreSnapshot: (snapshot: Uint8Array) => unknown };
  readonly GOT: Readonly<Record<string, { value: number }>>;
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly wasmTable: WebAssembly.Table;
  readonly preloadedWasm: Record<string, unknown>;
  readonly __PyRuntime: number;
  readonly __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number;
  addRunDependency(name: string): void;
  removeRunDependency(name: string): void;
  growMemory(bytes: number): void;
  loadWebAssemblyModule(
    module: WebAssembly.Module,
    flags: object,
    path: string,
    scope: object,
  ): Promise<unknown>;
}

type InstantiateWasm = (
  imports: { readonly env: Record<string, unknown> },
  succeed: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => object;

/** What Pyodide asks Emscripten for. */
export interface ModuleSettings {
  instantiateWasm?: InstantiateWasm;
  readonly preRun: ((module: ImageModule) => void | Promise<void>)[];
}

export type CreateModule = (settings: ModuleSettings) => Promise<ImageModule>;

/** The compiled code of an interpreter, which may still be on its way. */
export type ImageCode = Pick<ArrivingParts, "interpreter" | "sideModule">;

/** Where the interpreter looks for the compiled part of pydantic; an empty file is enough. */
export const SIDE_MODULE_PATH =
  "/lib/python3.14/site-packages/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so";

/** Where the interpreter looks for the standard library. */
export const STANDARD_LIBRARY_PATH = "/lib/python314.zip";

/** Where the wheels lie whose modules are not in the image yet; see `late-modules.ts`. */
export const LATE_FOLDER = "/treeglass/late";

/** Pyodide wants a snapshot before it lets one be restored, and looks at its length alone. */
export const NO_SNAPSHOT = new Uint8Array(64);

/** How the interpreter tells an error from a value: by a marker, which every engine has. */
const MARKER = Symbol("error");
const ERROR_MARKER = {
  Jsv_GetError_import: () => MARKER,
  JsvError_Check: (value: unknown) => value === MARKER,
};

/**
 * Engines with newer instructions fill one more slot of the function table, so that what is loaded
 * later would lie one further: the side module starts here instead.
 */
const TABLE_BASE = 16_384;

/**
 * Returns what creates a module with the side module in it; `onModule` gets it before Python runs.
 *
 * Rejects where the module is another one than expected.
 */
export function creatingImageModule(
  createModule: CreateModule,
  { interpreter, sideModule }: ImageCode,
  onModule: (module: ImageModule) => void | Promise<void>,
): CreateModule {
  return async (settings) => {
    // What is thrown in these two hooks is lost, and the module is then never done.
    let reject: (fault: unknown) => void = () => undefined;
    const fault = new Promise<never>((_, rejectFault) => {
      reject = rejectFault;
    });
    settings.instantiateWasm = (imports, succeed) => {
      Object.assign(imports.env, ERROR_MARKER);
      const instantiate = async (code: WebAssembly.Module) =>
        succeed(await WebAssembly.instantiate(code, imports as WebAssembly.Imports), code);
      interpreter.then(instantiate).catch((error) => reject(error));
      return {};
    };
    settings.preRun.push((module) => {
      module.addRunDependency(SIDE_MODULE_PATH);
      sideModule
        .then((code) => loadSideModule(module, code))
        .then(() => module.removeRunDependency(SIDE_MODULE_PATH))
        .catch((error) => reject(error));
    });
    const module = await Promise.race([createModule(settings), fault]);
    await onModule(module);
    return module;
  };
}

async function loadSideModule(module: ImageModule, sideModule: WebAssembly.Module): Promise<void> {
  const missing = TABLE_BASE - module.wasmTable.length;
  if (missing < 0) {
    throw new Error(`the function table has ${module.wasmTable.length} entries`);
  }
  module.wasmTable.grow(missing);
  module.preloadedWasm[SIDE_MODULE_PATH] = await module.loadWebAssemblyModule(
    sideModule,
    { loadAsync: true, nodelete: true },
    SIDE_MODULE_PATH,
    {},
  );
}

/**
 * Returns a number that tells whether the engine put every function where the image expects it.
 *
 * An image calls functions by their number in the table: with other numbers it would call others.
 */
export function fingerprintOf(module: ImageModule): number {
  let hash = 0;
  // Their names stand in an order of their own, which is that of the two modules; to add them to
  // the hash would take as long as restoring the memory.
  for (const name in module.GOT) {
    hash = (Math.imul(hash, 31) + (module.GOT[name]?.value ?? 0)) | 0;
  }
  return hash >>> 0;
}
