/**
 * Makes the start-up image, under Node:
 *
 *     node make-image.js PYODIDE_FOLDER STANDARD_LIBRARY WARM_UP RESULTS_FOLDER WHEEL...
 *
 * The image is the interpreter's memory after it has imported the tools and used each once, without
 * the memory of a fresh interpreter. The same sources give the same image.
 */
import nodeCrypto from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";
import type { PyodideAPI } from "pyodide";
import { fingerprintOf, LATE_FOLDER, SIDE_MODULE_PATH } from "../src/worker/start/image-layout.ts";
import { packMemory } from "../src/worker/start/memory-image.ts";
import { START_OPTIONS } from "../src/worker/start/pyodide-modules.ts";
import {
  type CreateModule,
  creatingImageModule,
  type EmscriptenModule,
  NO_SNAPSHOT,
} from "../src/worker/start/pyodide-patches.ts";
import { type Allocators, clearFreeMemory } from "./clear-free-memory.ts";

const [pyodideFolder = "", standardLibrary = "", warmUp = "", resultsFolder = "", ...wheels] =
  argv.slice(2);

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
const sideModuleBytes = await readSideModule();
const code = {
  interpreter: readFile(join(pyodideFolder, "pyodide.asm.wasm")).then((bytes) =>
    WebAssembly.compile(bytes),
  ),
  sideModule: WebAssembly.compile(sideModuleBytes),
};
const { fresh, fingerprint } = await readFreshMemory();
const { memory, references } = await readUsedMemory();
await writeFile(join(resultsFolder, "image.bin"), packMemory(fresh, memory, references));
await writeFile(join(resultsFolder, "pydantic_core.wasm"), sideModuleBytes);
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

async function readSideModule(): Promise<Uint8Array<ArrayBuffer>> {
  const wheel = wheels.find((path) => basename(path).startsWith("pydantic_core-")) ?? "";
  const { FS, runPython }: PyodideAPI = await loadPyodide(options);
  FS.writeFile("wheel.zip", await readFile(wheel));
  runPython(`
import pathlib, zipfile
with zipfile.ZipFile("wheel.zip") as archive:
    (name,) = [name for name in archive.namelist() if name.endswith(".so")]
    pathlib.Path("side.wasm").write_bytes(archive.read(name))
`);
  return Uint8Array.from(FS.readFile("side.wasm"));
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

/** Returns the memory after the tools were used, and Pyodide's record of JavaScript objects. */
async function readUsedMemory(): Promise<{ memory: Uint8Array; references: Uint8Array }> {
  let allocators: Allocators | null = null;
  const pyodide: PyodideAPI & { makeMemorySnapshot(): Uint8Array } = await loadPyodide({
    ...options,
    _makeSnapshot: true,
    createPyodideModule: creatingImageModule(createModule, code, (module) => {
      allocators = module as EmscriptenModule & Allocators;
    }),
  });
  pyodide.FS.mkdirTree(LATE_FOLDER);
  for (const wheel of wheels) {
    pyodide.FS.writeFile(`${LATE_FOLDER}/${basename(wheel)}`, await readFile(wheel));
  }
  pyodide.FS.mkdirTree(SIDE_MODULE_PATH.slice(0, SIDE_MODULE_PATH.lastIndexOf("/")));
  pyodide.FS.writeFile(SIDE_MODULE_PATH, new Uint8Array());
  pyodide.FS.writeFile("/warm_up.py", await readFile(warmUp));
  pyodide.runPython(
    `import runpy\nrunpy.run_path("/warm_up.py")["warm_up"]("${LATE_FOLDER}", "${SIDE_MODULE_PATH}")`,
  );
  pyodide.FS.unlink("/warm_up.py");
  clearFreeMemory(allocators);
  const snapshot = pyodide.makeMemorySnapshot();
  const head = new Uint32Array(snapshot.slice(0, 12).buffer);
  const [, memoryStart = 0, referenceBytes = 0] = head;
  const HEAD_BYTES = 48;
  return {
    memory: snapshot.subarray(memoryStart),
    references: snapshot.subarray(HEAD_BYTES, HEAD_BYTES + referenceBytes),
  };
}
