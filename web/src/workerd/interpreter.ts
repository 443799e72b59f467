/** The interpreter of the isolate: one for all clients. */
import { archives, code, interpreter, memory, origin, sideModule } from "treeglass:assets";
import { TreeglassError } from "../protocol/errors.ts";
import type { StartFolders, WorkerStart } from "../protocol/start.ts";
import { Stopwatch } from "../protocol/stopwatch.ts";
import type { FileEntry } from "../sources/tree.ts";
import { restoreWith, seedChance } from "../worker/start/from-image.ts";
import { mountArchives } from "../worker/start/late-modules.ts";
import { emscriptenFs, type Runtime, runtimeOf } from "../worker/start/runtime.ts";
import { withoutMadeCode } from "./without-made-code.ts";

/** A running interpreter, and how it came up. */
export interface Interpreter {
  readonly runtime: Runtime;
  readonly start: WorkerStart;
  /** Returns an internal directory that no tree had before. */
  nextDirectory(): string;
  /** Gives `random` a state of its own, the first time that there is entropy; see `hasEntropy`. */
  seed(): void;
}

/** Gives the interpreter of the isolate, and another one once that has died. */
export interface InterpreterSource {
  /** Rejects with `StartFailed`. */
  get(): Promise<Interpreter>;
  /** Lets go of the one that died, so that the next `get` starts another. */
  discard(): void;
}

/** The loader wants addresses, and what is there is not fetched from them. */
const NOWHERE = "https://treeglass.invalid/";
const FOLDERS: StartFolders = { assets: NOWHERE, pyodide: NOWHERE, packages: NOWHERE };

/** Numbered and apart from the interpreter's files, as in a page's worker. */
const MOUNTS_DIRECTORY = "/treeglass/mounts";

let started: Promise<Interpreter> | null = null;

/**
 * The interpreter of this isolate, which the first call starts.
 *
 * A start waits for nothing but what is there, so that it is over before any other request has its
 * turn: a request that is given up cannot leave a start behind that others wait for in vain. One
 * that failed is not kept.
 */
export const isolateInterpreters: InterpreterSource = {
  async get() {
    const joined = started ?? startInterpreter();
    started = joined;
    try {
      return await joined;
    } catch (error) {
      if (started === joined) {
        started = null;
      }
      throw startFailed(error);
    }
  },
  discard() {
    started = null;
  },
};

async function startInterpreter(): Promise<Interpreter> {
  const stopwatch = new Stopwatch();
  const parts = {
    interpreter: Promise.resolve(interpreter),
    sideModule: Promise.resolve(sideModule),
    memory: Promise.resolve(new Uint8Array(memory)),
  };
  const codeAsItIs = { ...code, createModule: withoutMadeCode(code.createModule) };
  const pyodide = await restoreWith(codeAsItIs, FOLDERS, origin, parts, stopwatch);
  const files = Object.entries(archives).map(([name, bytes]) => [name, fileOf(bytes)] as const);
  const children = new Map(files);
  // At hand and not fetched, so that an import never has to wait, and clients share nothing.
  mountArchives(pyodide, emscriptenFs(pyodide), { kind: "directory", modifiedMs: 0, children });
  const runtime = runtimeOf(pyodide, null);
  let madeDirectories = 0;
  let isSeeded = false;
  return {
    runtime,
    start: { way: "image", reason: null, phases: stopwatch.phases },
    nextDirectory() {
      madeDirectories += 1;
      return `${MOUNTS_DIRECTORY}/${madeDirectories}`;
    },
    seed() {
      if (!isSeeded && hasEntropy()) {
        seedChance(pyodide);
        isSeeded = true;
      }
    },
  };
}

function fileOf(archive: ArrayBuffer): FileEntry {
  const bytes = new Uint8Array(archive);
  const content = { kind: "bytes", bytes } as const;
  return { kind: "file", sizeBytes: bytes.byteLength, modifiedMs: 0, content };
}

/** Tells whether random numbers may be drawn: not in the global scope of a Worker. */
function hasEntropy(): boolean {
  try {
    crypto.getRandomValues(new Uint8Array(1));
    return true;
  } catch {
    return false;
  }
}

function startFailed(cause: unknown): TreeglassError {
  const lines = String(cause instanceof Error ? cause.message : cause)
    .trim()
    .split("\n");
  return new TreeglassError(
    "StartFailed",
    `The interpreter could not be started in this Worker: ${lines.at(-1)}. Bundle the files of the package as they were published, with a workerd of about their age.`,
    { cause },
  );
}
