/**
 * The private parts of Pyodide and of its Emscripten that the patches use.
 *
 * Four modules have every change to them, a section for each: `../pyodide-modules.ts` what their code
 * finds around it, `code.ts` how the code becomes a module, `memory.ts` how an image becomes the
 * memory, and `../late-files.ts` what their files do.
 *
 * `web/package.json` pins Pyodide. Read the sections first when you update it: each says what it
 * changes, why, and what breaks without it. A start from an image that does not find a part here
 * fails before it uses the image, and the start from the packages follows.
 *
 * Two patches of other programs lie elsewhere, because a bundle must hold them by themselves:
 * workerd's message channel in `hosts/isolate/message-channel.ts`, and the globals by which Pyodide
 * recognises Node, which `build_steps` removes from the bundle for workerd. `interpreter-zlib.ts`
 * calls the interpreter's zlib.
 */

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
export type HasExports = Pick<WebAssembly.Instance, "exports">;

/** Pyodide's settings for Emscripten, which turns this same object into its module. */
export interface ModuleSettings {
  instantiateWasm?: (
    imports: { readonly env: Record<string, unknown> },
    succeed: (instance: HasExports, module: WebAssembly.Module) => void,
  ) => object;
  readonly preRun: ((module: EmscriptenModule) => void | Promise<void>)[];
}

export type CreateModule = (settings: ModuleSettings) => Promise<EmscriptenModule>;
