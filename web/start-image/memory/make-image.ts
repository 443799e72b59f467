/**
 * Makes the start-up image, under Node:
 *
 *     node make-image.mjs PYODIDE_FOLDER SIDE_MODULE STANDARD_LIBRARY \
 *         WARM_UP FINISH LINES FORM RESULTS_FOLDER WHEEL...
 *
 * The image is the interpreter's memory after it has imported the tools and used each once, without
 * the memory of a fresh interpreter. The same sources give the same image. FINISH and LINES may be
 * empty; see `warm_up.py`. FORM is `packed`, or `plain` for a heap in the order of its addresses.
 */
import nodeCrypto from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";
import type { PyodideAPI } from "pyodide";
import { LATE_FOLDER } from "../../src/worker/start/late-files.ts";
import { creatingImageModule, SIDE_MODULE_PATH } from "../../src/worker/start/patches/code.ts";
import {
  fingerprintOf,
  NO_SNAPSHOT,
  restoreMemory,
} from "../../src/worker/start/patches/memory.ts";
import type {
  CreateModule,
  EmscriptenModule,
} from "../../src/worker/start/patches/pyodide-types.ts";
import { START_OPTIONS } from "../../src/worker/start/pyodide-modules.ts";
import { type Allocators, clearFreeMemory } from "./clear-free-memory.ts";
import type { HeapFacts } from "./pack-heap.ts";
import { packMemory } from "./pack-memory.ts";

const [
  pyodideFolder = "",
  sideModule = "",
  standardLibrary = "",
  warmUp = "",
  finish = "",
  lines = "",
  form = "",
  resultsFolder = "",
  ...wheels
] = argv.slice(2);

replaceChance();
const { loadPyodide, version } = await import(moduleAddress("pyodide.mjs"));
const createModule: CreateModule = (await import(moduleAddress("pyodide.asm.mjs"))).default;
const lock = JSON.parse(await readFile(join(pyodideFolder, "pyodide-lock.json"), "utf8"));
const options = {
  ...START_OPTIONS,
  indexURL: pyodideFolder,
  packageBaseUrl: pyodideFolder,
  stdLibURL: standardLibrary,
  env: {
    ...START_OPTIONS.env,
    // Without docstrings and the columns of each instruction: they are a third of the image.
    PYTHONOPTIMIZE: "2",
    PYTHONNODEBUGRANGES: "1",
  },
  // The default is the path of this script.
  _sysExecutable: "python",
  lockFileContents: { info: lock.info, packages: {} },
};
const code = {
  interpreter: compile(join(pyodideFolder, "pyodide.asm.wasm")),
  sideModule: compile(sideModule),
};
const { fresh, fingerprint } = await readFreshMemory();
const { memory, references, finished, facts } = await readUsedMemory();
const image = packMemory(fresh, memory, references, form === "packed" ? facts : null);
checkImage(image);
await writeFile(join(resultsFolder, "finished.txt"), finished);
await writeFile(join(resultsFolder, "image.bin"), image);
await writeFile(
  join(resultsFolder, "image.json"),
  JSON.stringify({ pyodideVersion: version, fingerprint }),
);
// The interpreters would keep the process running.
exit(0);

function moduleAddress(name: string): string {
  return pathToFileURL(join(pyodideFolder, name)).href;
}

/** Replaces chance and time, which would make each image different; a start draws its own. */
function replaceChance(): void {
  let drawn = 0;
  // Under Node, Pyodide draws random numbers by this function.
  nodeCrypto.randomFillSync = (<View extends NodeJS.ArrayBufferView>(view: View): View => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at += 1) {
      drawn = (Math.imul(drawn, 1_103_515_245) + 12_345) >>> 0;
      bytes[at] = drawn >>> 16;
    }
    return view;
  }) as typeof nodeCrypto.randomFillSync;
  let nowMs = Date.UTC(2020, 0, 1);
  Date.now = () => {
    nowMs += 1;
    return nowMs;
  };
  performance.now = () => Date.now() - Date.UTC(2020, 0, 1);
}

/** Throws if a start would not restore each byte of the memory as it was packed. */
function checkImage(image: Uint8Array): void {
  const HEAPU8 = new Uint8Array(memory.length);
  HEAPU8.set(fresh);
  const restored = {
    HEAPU8,
    HEAP32: new Int32Array(HEAPU8.buffer),
    __PyRuntime: 0,
    __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: 0,
    _Py_HashBuffer: facts.hash,
  };
  restoreMemory(restored as unknown as EmscriptenModule, image);
  if (Buffer.compare(HEAPU8, memory) !== 0) {
    const address = HEAPU8.findIndex((byte, at) => byte !== memory[at]);
    throw new Error(`the image restores another memory at ${address}`);
  }
}

async function compile(file: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(file));
}

/** Returns the memory of a fresh interpreter, before Python runs. */
async function readFreshMemory(): Promise<{ fresh: Uint8Array; fingerprint: number }> {
  class Enough extends Error {}
  let seen: { fresh: Uint8Array; fingerprint: number } | null = null;
  const recordMemory = (module: EmscriptenModule) => {
    seen = { fresh: Uint8Array.from(module.HEAPU8), fingerprint: fingerprintOf(module.GOT) };
    throw new Enough();
  };
  const loading = loadPyodide({
    ...options,
    _loadSnapshot: NO_SNAPSHOT,
    createPyodideModule: creatingImageModule(createModule, code, recordMemory),
  });
  await loading.catch((error: unknown) => {
    if (!(error instanceof Enough)) {
      throw error;
    }
  });
  if (seen === null) {
    throw new Error("Pyodide did not create its module");
  }
  return seen;
}

/**
 * Returns the memory after the tools were used, Pyodide's record of JavaScript objects, and what the
 * program `finish` has returned.
 */
async function readUsedMemory(): Promise<{
  memory: Uint8Array<ArrayBuffer>;
  references: Uint8Array;
  finished: string;
  facts: HeapFacts;
}> {
  let used: (EmscriptenModule & Allocators) | null = null;
  const pyodide: PyodideAPI & { makeMemorySnapshot(): Uint8Array } = await loadPyodide({
    ...options,
    _makeSnapshot: true,
    createPyodideModule: creatingImageModule(createModule, code, (module) => {
      used = module as EmscriptenModule & Allocators;
    }),
  });
  pyodide.FS.mkdirTree(LATE_FOLDER);
  for (const wheel of wheels) {
    pyodide.FS.writeFile(`${LATE_FOLDER}/${basename(wheel)}`, await readFile(wheel));
  }
  pyodide.FS.mkdirTree(SIDE_MODULE_PATH.slice(0, SIDE_MODULE_PATH.lastIndexOf("/")));
  pyodide.FS.writeFile(SIDE_MODULE_PATH, new Uint8Array());
  const programs = { "/warm_up.py": warmUp, "/finish.py": finish, "/lines": lines };
  for (const [path, file] of Object.entries(programs)) {
    pyodide.FS.writeFile(path, file === "" ? "" : await readFile(file));
  }
  const program = finish === "" ? "" : "/finish.py";
  const places = JSON.stringify([LATE_FOLDER, SIDE_MODULE_PATH, program, "/lines"]);
  const finished: string = pyodide.runPython(
    `import runpy\nrunpy.run_path("/warm_up.py")["warm_up"](*${places})`,
  );
  for (const path of Object.keys(programs)) {
    pyodide.FS.unlink(path);
  }
  clearFreeMemory(used);
  const snapshot = pyodide.makeMemorySnapshot();
  const head = new Uint32Array(snapshot.slice(0, 12).buffer);
  const [, memoryStart = 0, referenceBytes = 0] = head;
  const HEAD_BYTES = 48;
  return {
    memory: Uint8Array.from(snapshot.subarray(memoryStart)),
    references: snapshot.subarray(HEAD_BYTES, HEAD_BYTES + referenceBytes),
    finished,
    facts: factsOf(used),
  };
}

function factsOf(module: EmscriptenModule | null): HeapFacts {
  const addressOf = (name: string) => {
    const address = module?.GOT[name]?.value;
    if (address === undefined) {
      throw new Error(`the interpreter does not tell the address of ${name}`);
    }
    return address;
  };
  return {
    heapBase: addressOf("__heap_base"),
    typeOfTypes: addressOf("PyType_Type"),
    typeOfStrings: addressOf("PyUnicode_Type"),
    hash: (address, bytes) => module?._Py_HashBuffer(address, bytes) ?? 0,
  };
}
