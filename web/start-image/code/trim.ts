/**
 * Makes Pyodide's code smaller, under Node:
 *
 *     node trim.mjs PYODIDE_FOLDER SIDE_MODULE RESULTS_FOLDER
 *
 * Writes `pyodide.asm.wasm` and `pyodide.asm.mjs` without what neither the other of both, nor the
 * side module, nor Pyodide's loader, nor this project names.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import { trimGlue, wordsOf } from "./trim-glue.ts";
import { trimModule } from "./trim-module.ts";
import { readModule } from "./wasm-module.ts";

/** What `web/src/worker/start/` and `web/start-image/memory/` use of the interpreter. */
const OURS = [
  "_PyRuntime",
  "_PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET",
  "sbrk",
  "malloc",
  "free",
  "PyObject_Malloc",
  "PyObject_Free",
  "Py_HashBuffer",
  "inflateInit2_",
  "inflateReset",
  "inflate",
  "crc32",
];

const [pyodideFolder = "", sideModule = "", resultsFolder = ""] = argv.slice(2);
const code = await readFile(join(pyodideFolder, "pyodide.asm.wasm"));
const glue = await readFile(join(pyodideFolder, "pyodide.asm.mjs"), "utf8");
const loader = await readFile(join(pyodideFolder, "pyodide.mjs"), "utf8");
const side = readModule(await readFile(sideModule)).imports.map(({ name }) => name);

// A name that occurs in any script, in whatever role, is taken for one that is needed.
const named = new Set([...OURS, ...side, ...wordsOf(glue), ...wordsOf(loader)]);
const trimmed = trimModule(code, (name) => named.has(name) || named.has(`_${name}`));
const { imports, exports } = readModule(trimmed);
const exported = new Set(exports.map(({ name }) => name));
const imported = new Set([...side, ...imports.map(({ name }) => name)]);
await writeFile(join(resultsFolder, "pyodide.asm.wasm"), trimmed);
await writeFile(
  join(resultsFolder, "pyodide.asm.mjs"),
  trimGlue(
    glue,
    (name) => exported.has(name),
    (name) => imported.has(name),
  ),
);
