/** Interpreters as a Worker starts them, under Node; from the package of the last `build.py bundle`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { PyodideAPI } from "pyodide";
import { type PackageAssets, startInterpreter } from "../../src/hosts/isolate/interpreter.ts";

const ASSETS = new URL("../../../dist/npm/assets/", import.meta.url);
const START = JSON.parse(readFileSync(new URL("start.json", ASSETS), "utf8"));
const PYODIDE = new URL(START.folders.pyodide, ASSETS);

function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(path, ASSETS)));
}

/** Returns the assets of a Worker's bundle; `onStarted` gets each interpreter started from them. */
export async function isolateAssets(
  onStarted: (pyodide: PyodideAPI) => void,
): Promise<PackageAssets> {
  const loader = await import(new URL("pyodide.mjs", PYODIDE).href);
  const { default: createModule } = await import(new URL("pyodide.asm.mjs", PYODIDE).href);
  const { memory } = START.image;
  const names = Object.keys(START.image.archives);
  const loadPyodide: typeof loader.loadPyodide = async (options: object) => {
    // Under Node it would look for the address among the files.
    const pyodide = await loader.loadPyodide({ ...options, indexURL: PYODIDE.pathname });
    onStarted(pyodide);
    return pyodide;
  };
  return {
    code: { loader: { version: loader.version, loadPyodide }, createModule },
    interpreter: await WebAssembly.compile(bytesOf(START.image.interpreter.path)),
    sideModule: await WebAssembly.compile(bytesOf(START.image.sideModule.path)),
    lateParts: await compiledLateParts(),
    memory: bytesOf(memory.path).buffer,
    origin: START.image,
    archives: Object.fromEntries(names.map((name) => [name, archiveBytes(name)])),
  };
}

/** Starts one interpreter; from the image, which takes a tenth of the time of Pyodide's own start. */
export async function startPyodide(): Promise<PyodideAPI> {
  const started: PyodideAPI[] = [];
  await startInterpreter(await isolateAssets((pyodide) => started.push(pyodide)));
  const [pyodide] = started;
  assert.ok(pyodide);
  return pyodide;
}

/** Returns the late parts of the package's modules, compiled, by file name. */
export async function compiledLateParts(): Promise<Record<string, WebAssembly.Module>> {
  const paths = Object.keys(START.files).filter((path) => path.endsWith(".late.wasm"));
  const compiled = paths.map(
    async (path) => [basename(path), await WebAssembly.compile(bytesOf(path))] as const,
  );
  return Object.fromEntries(await Promise.all(compiled));
}

function archiveBytes(name: string): ArrayBuffer {
  const folder = name === "python_stdlib.zip.bin" ? START.folders.pyodide : START.folders.packages;
  return bytesOf(`${folder}${name}`).buffer;
}
