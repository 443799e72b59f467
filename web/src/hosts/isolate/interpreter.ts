/** An interpreter in the isolate, started from files of the Worker's bundle. */
import type { ImageOrigin, StartFolders, WorkerStart } from "../../protocol/start.ts";
import { Stopwatch } from "../../protocol/stopwatch.ts";
import { InterpreterFailed } from "../../worker/bridge.ts";
import { type PyodideCode, restoreWith, seedChance } from "../../worker/start/from-image.ts";
import { placeArchive } from "../../worker/start/late-files.ts";
import { linkingWhole } from "../../worker/start/patches/code.ts";
import { withoutMadeCode } from "../../worker/start/patches/made-code.ts";
import { startFailed } from "../../worker/start/pyodide-modules.ts";
import { type Runtime, runtimeOf } from "../../worker/start/runtime.ts";
import { mountDirectories } from "../../worker/tree-calls.ts";

export interface PackageAssets {
  readonly code: PyodideCode;
  readonly interpreter: WebAssembly.Module;
  readonly sideModule: WebAssembly.Module;
  /** The late parts of both, by file name; none if the two are whole. */
  readonly lateParts: Readonly<Record<string, WebAssembly.Module>>;
  readonly memory: ArrayBuffer;
  readonly origin: ImageOrigin;
  /** The archives that `origin` names, by file name. */
  readonly archives: Readonly<Record<string, ArrayBuffer>>;
}

export interface Interpreter {
  readonly runtime: Runtime;
  readonly start: WorkerStart;
  nextDirectory(): string;
  /**
   * Gives `random` a state of its own, the first time that entropy is available; see `hasEntropy`.
   *
   * Throws `InterpreterFailed` if the interpreter has died.
   */
  seed(): void;
}

/** Pyodide requires addresses, and nothing is fetched from these. */
const NOWHERE = "https://treeglass.invalid/";
const FOLDERS: StartFolders = {
  assets: NOWHERE,
  pyodide: NOWHERE,
  packages: NOWHERE,
  files: {},
  fault: null,
};

/** Starts an interpreter without I/O. */
export async function startInterpreter(assets: PackageAssets): Promise<Interpreter> {
  const { code, origin } = assets;
  const stopwatch = new Stopwatch();
  const parts = {
    interpreter: Promise.resolve(assets.interpreter),
    sideModule: Promise.resolve(assets.sideModule),
    memory: Promise.resolve(new Uint8Array(assets.memory)),
  };
  const link = linkingWhole(assets.lateParts);
  const codeAsItIs = { ...code, link, createModule: withoutMadeCode(code.createModule) };
  const pyodide = await restoreWith(codeAsItIs, FOLDERS, origin, parts, stopwatch);
  // In memory and not fetched: an import never has to wait, and clients share no request.
  for (const [name, bytes] of Object.entries(assets.archives)) {
    placeArchive(pyodide, name, new Uint8Array(bytes));
  }
  const directories = mountDirectories();
  let isSeeded = false;
  return {
    runtime: runtimeOf(pyodide, null),
    start: { way: "image", reason: null, phases: stopwatch.phases },
    nextDirectory: directories,
    seed() {
      if (isSeeded || !hasEntropy()) {
        return;
      }
      try {
        seedChance(pyodide);
      } catch (cause) {
        throw new InterpreterFailed(cause);
      }
      isSeeded = true;
    },
  };
}

/** Tells whether random numbers may be drawn; the global scope of a Worker forbids it. */
function hasEntropy(): boolean {
  try {
    crypto.getRandomValues(new Uint8Array(1));
    return true;
  } catch {
    return false;
  }
}

/**
 * One interpreter for all clients, started by the first.
 *
 * A start does no I/O, so it ends before another request runs: an abandoned request cannot leave
 * an unfinished start behind, on which others would wait forever. A failed start is not kept.
 */
export class SharedInterpreter {
  readonly #start: () => Promise<Interpreter>;
  #starting: Promise<Interpreter> | null = null;
  #started: Interpreter | null = null;

  constructor(start: () => Promise<Interpreter>) {
    this.#start = start;
  }

  /** Returns the isolate's interpreter, started if necessary; rejects with `StartFailed`. */
  async get(): Promise<Interpreter> {
    const joined = this.#starting ?? this.#start();
    this.#starting = joined;
    try {
      const interpreter = await joined;
      if (this.#starting === joined) {
        this.#started = interpreter;
      }
      return interpreter;
    } catch (error) {
      if (this.#starting === joined) {
        this.#starting = null;
      }
      throw startFailed(
        "The interpreter could not be started in this Worker",
        error,
        "Bundle the files of the package as they were published, with a workerd of about their age.",
      );
    }
  }

  /** Forgets an interpreter that died, so that the next `get` starts another. Repeatable. */
  discard(interpreter: Interpreter): void {
    // A client may report the death late, when another interpreter is already running.
    if (this.#started === interpreter) {
      this.#started = null;
      this.#starting = null;
    }
  }
}
