/**
 * Every change to private parts of Pyodide and of its Emscripten, a section for each.
 *
 * `web/package.json` pins Pyodide. Read this file first when you update it: a section says what it changes, why, and what breaks without it. A start from an image that does not find a
 * part here fails before it uses the image, and the start from the packages follows.
 *
 * Two patches of other programs lie elsewhere, because a bundle must hold them by themselves:
 * workerd's message channel in `hosts/isolate/message-channel.ts`, and the globals by which Pyodide
 * recognises Node, which `build_steps` removes from the bundle for workerd. `native-inflate.ts`
 * calls the interpreter's zlib, and goes without it where it is missing.
 */
import { withResolvers } from "../../lib/with-resolvers.ts";
import type { ArrivingParts } from "../../protocol/start.ts";
import { SIDE_MODULE_PATH, SIDE_MODULE_TABLE_BASE } from "./image-layout.ts";
import { asItIs, type Link } from "./linking.ts";

/** The private parts of Emscripten's module that the patches use. */
export interface EmscriptenModule {
  readonly API: PyodideApi;
  /** The number of each function, and the address of each variable, that code refers to by name. */
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
  /** Hashes a part of the memory as Python hashes a text. */
  _Py_HashBuffer(address: number, bytes: number): number;
  loadWebAssemblyModule(
    module: WebAssembly.Module,
    flags: object,
    path: string,
    scope: object,
  ): Promise<unknown>;
}

/** The private parts of Pyodide that the patches use. */
interface PyodideApi {
  restoreSnapshot: (snapshot: Uint8Array) => unknown;
  /** Runs statements, and returns the exit code and what they have printed. */
  rawRun: (code: string) => [code: number, printed: string];
  _pyodide: {
    readonly _base: {
      readonly eval_code: (code: string) => unknown;
      readonly import_module: (name: string) => { readonly __dict__: unknown };
      readonly builtins: { readonly dict: () => unknown; readonly __dict__: unknown };
    };
  };
}

/** The part of an instance that Emscripten reads. */
type HasExports = Pick<WebAssembly.Instance, "exports">;

/** Pyodide's settings for Emscripten, which turns this same object into its module. */
export interface ModuleSettings {
  instantiateWasm?: (
    imports: { readonly env: Record<string, unknown> },
    succeed: (instance: HasExports, module: WebAssembly.Module) => void,
  ) => object;
  readonly preRun: ((module: EmscriptenModule) => void | Promise<void>)[];
}

export type CreateModule = (settings: ModuleSettings) => Promise<EmscriptenModule>;

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

// The code of the interpreter and of the side module, compiled by the page.
//
// Pyodide's own `instantiateWasm` fetches and compiles the interpreter, and Python loads the side
// module when it is first imported. The patch passes in both, compiled, so that a page compiles
// them once for all its workers. It also has to set the two functions that Pyodide's hook sets, by
// which the interpreter tells an error from a value; always to Pyodide's fallback in JavaScript,
// since its variant in WebAssembly exists in some engines only. Without the patch the functions of
// the side module have other numbers than in the image.

const ERROR_MARKER = Symbol("error");
const ERROR_FUNCTIONS = {
  Jsv_GetError_import: () => ERROR_MARKER,
  JsvError_Check: (value: unknown) => value === ERROR_MARKER,
};

/**
 * Returns what creates a module with the side module in it; `onModule` gets it before Python runs.
 *
 * The image's maker uses it too: the same order of the same steps gives the same addresses. `link`
 * completes the imports of both modules. Rejects if the module is another one than expected.
 */
export function creatingImageModule(
  createModule: CreateModule,
  { interpreter, sideModule }: Pick<ArrivingParts, "interpreter" | "sideModule">,
  onModule: (module: EmscriptenModule) => void | Promise<void>,
  link: Link = asItIs,
): CreateModule {
  return async (settings) => {
    const { promise: fault, reject } = withResolvers<never>();
    settings.instantiateWasm = instantiating(interpreter, reject, link);
    settings.preRun.push((module) => {
      module.addRunDependency(SIDE_MODULE_PATH);
      sideModule
        .then((code) => linkingInstances(link, code, () => loadSideModule(module, code)))
        .then(() => module.removeRunDependency(SIDE_MODULE_PATH))
        .catch((error) => reject(error));
    });
    const module = await Promise.race([createModule(settings), fault]);
    await onModule(module);
    return module;
  };
}

/**
 * Returns what creates a module of this code; for a start from the packages.
 *
 * Rejects if the code cannot be instantiated. Pyodide's own hook only warns of that in the console,
 * and its module would never be ready.
 */
export function creatingModule(
  createModule: CreateModule,
  code: Uint8Array<ArrayBuffer>,
  link: Link,
): CreateModule {
  return (settings) => {
    const { promise: fault, reject } = withResolvers<never>();
    settings.instantiateWasm = instantiating(WebAssembly.compile(code), reject, link);
    return Promise.race([createModule(settings), fault]);
  };
}

/** Returns the hook that instantiates compiled code; Emscripten ignores what such a hook throws. */
function instantiating(
  interpreter: Promise<WebAssembly.Module>,
  fail: (fault: unknown) => void,
  link: Link,
): NonNullable<ModuleSettings["instantiateWasm"]> {
  return (imports, succeed) => {
    Object.assign(imports.env, ERROR_FUNCTIONS);
    const instantiate = async (code: WebAssembly.Module) => {
      const linked = link(code, imports as WebAssembly.Imports);
      const instance = linked.finish(await WebAssembly.instantiate(code, linked.imports));
      succeed(withFunctionsOfTable(instance), code);
    };
    interpreter.then(instantiate).catch(fail);
    return {};
  };
}

async function loadSideModule(
  module: EmscriptenModule,
  sideModule: WebAssembly.Module,
): Promise<void> {
  const missing = SIDE_MODULE_TABLE_BASE - module.wasmTable.length;
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

// The instance of the side module.
//
// Emscripten instantiates the side module by itself, and takes each function that it exports for
// one that other modules may want. The patch completes its imports, and hides what only its late
// part uses; see `late-code.ts`. Without it a split module cannot be instantiated.

/** Runs work while an instance of `code` is made as `link` says. */
async function linkingInstances<Outcome>(
  link: Link,
  code: WebAssembly.Module,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(_, [module, imports]) {
      if (module !== code) {
        return new Instance(module, imports);
      }
      const linked = link(code, imports);
      return linked.finish(new Instance(code, linked.imports));
    },
  });
  try {
    return await work();
  } finally {
    WebAssembly.Instance = Instance;
  }
}

// Exported functions that the table holds too.
//
// Emscripten looks an exported function up in the table, and adds it if it is not there. In WebKit
// the export and the entry of the table are two objects, so that every function is added, and each
// later one has another number than in the image. Both have the function's index as their name.
// Without the patch WebKit starts from the packages.

/** Returns the instance, with the objects of the table where these are others than the exports. */
function withFunctionsOfTable(instance: HasExports): HasExports {
  const { __indirect_function_table: table, malloc } = instance.exports;
  if (!(table instanceof WebAssembly.Table && typeof malloc === "function")) {
    return instance;
  }
  const entries = new Map<string, WebAssembly.ExportValue>();
  for (let index = 0; index < table.length; index += 1) {
    const entry: unknown = table.get(index);
    if (entry === malloc) {
      return instance;
    }
    if (typeof entry === "function") {
      entries.set(entry.name, entry);
    }
  }
  const exports = Object.entries(instance.exports).map(([name, value]) => [
    name,
    (typeof value === "function" && entries.get(value.name)) || value,
  ]);
  return { exports: Object.fromEntries(exports) };
}

// Snapshots of the memory.
//
// Pyodide can restore a snapshot of its whole memory, by the unpublished option `_loadSnapshot`. An
// image holds only what differs from a fresh interpreter, so the option gets a placeholder, of
// which Pyodide reads the length alone, and its restoring function is replaced. Without the patch a
// page would have to fetch the whole memory.

/** The placeholder for `_loadSnapshot`. */
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

// A classic worker, for the single file.
//
// Chromium starts no module worker from a Blob of a page without an origin, such as a file from
// disk. Pyodide recognises a classic worker by `importScripts` and refuses it, although it imports
// its modules there as anywhere. Without the patch the single file does not start.

/** Makes Pyodide take a classic worker for a module worker. */
export function passForModuleWorker(): void {
  Object.defineProperty(globalThis, "importScripts", { value: undefined });
}
