/** Patches that make a module of Emscripten from the code of the interpreter and the side module. */
import { withResolvers } from "../../../lib/promises.ts";
import type { ArrivingParts } from "../../../protocol/start.ts";
import type {
  CreateModule,
  EmscriptenModule,
  HasExports,
  ModuleSettings,
} from "./pyodide-types.ts";

// The code of the interpreter and of the side module, compiled by the page.
//
// Pyodide's own `instantiateWasm` fetches and compiles the interpreter, and Python loads the side
// module when it is first imported. The patch passes in both, compiled, so that a page compiles
// them once for all its workers. It also has to set the two functions that Pyodide's hook sets, by
// which the interpreter tells an error from a value; always to Pyodide's fallback in JavaScript,
// since its variant in WebAssembly exists in some engines only. Without the patch the functions of
// the side module have other numbers than in the image.

/** The path of pydantic's compiled part; an empty file there is enough for the interpreter. */
export const SIDE_MODULE_PATH =
  "/lib/python3.14/site-packages/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so";

/**
 * Engines with newer instructions fill one more slot of the function table, which would move all
 * code that is loaded later by one: the side module starts here instead.
 */
const SIDE_MODULE_TABLE_BASE = 16_384;

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
// part uses. Without it a split module cannot be instantiated.

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

/** A module's imports, and what to take for its instance. */
export interface Linked {
  readonly imports: WebAssembly.Imports;
  finish(instance: WebAssembly.Instance): WebAssembly.Instance;
}

/** Completes the imports of a module before it is instantiated. */
export type Link = (code: WebAssembly.Module, imports: WebAssembly.Imports) => Linked;

/** The same for a module that is whole. */
export const asItIs: Link = (_, imports) => ({ imports, finish: (instance) => instance });

/** The section of a first part that names its late part; see `web/start-image/code/split-module.ts`. */
const SECTION = "treeglass.late";
/** The module that both parts import from, and how the names begin that only the late one uses. */
const SHARED = "~";

/**
 * Gives a first part the function that loads its late part; `find` takes that part's file name, and
 * returns what compiles it when it is first needed.
 *
 * With `atOnce`, the late part is loaded as soon as the first part has an instance.
 */
export function linkingLate(
  find: (name: string) => () => WebAssembly.Module,
  { atOnce }: { atOnce: boolean },
): Link {
  return (code, imports) => {
    const [section] = WebAssembly.Module.customSections(code, SECTION);
    if (section === undefined) {
      return asItIs(code, imports);
    }
    const part = find(new TextDecoder().decode(section));
    const shared: Record<string, WebAssembly.ExportValue> = {};
    let isLoaded = false;
    const load = () => {
      if (!isLoaded) {
        // Its functions take their places in a table that the first part shares.
        new WebAssembly.Instance(part(), { ...imports, [SHARED]: shared });
        isLoaded = true;
      }
    };
    return {
      imports: { ...imports, [SHARED]: { load } },
      finish: (instance) => {
        // Emscripten would give a place in its own table to each function that it sees.
        const exports: Record<string, WebAssembly.ExportValue> = {};
        for (const [name, exported] of Object.entries(instance.exports)) {
          (name.startsWith(SHARED) ? shared : exports)[name] = exported;
        }
        if (atOnce) {
          load();
        }
        return { exports };
      },
    };
  };
}

/**
 * Returns the link for a place that loads nothing late: each first part gets its late part at once.
 *
 * `lateParts` has the late parts by their file names.
 */
export function linkingWhole(lateParts: Readonly<Record<string, WebAssembly.Module>>): Link {
  const find = (name: string) => () => {
    const part = lateParts[name];
    if (part === undefined) {
      throw new Error(`${name} is missing`);
    }
    return part;
  };
  return linkingLate(find, { atOnce: true });
}
