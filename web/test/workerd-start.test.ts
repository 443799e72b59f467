/** A start in workerd differs from one in a page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Stopwatch } from "../src/protocol/stopwatch.ts";
import type { FileEntry } from "../src/sources/tree.ts";
import { restoreWith } from "../src/worker/start/from-image.ts";
import { mountArchives } from "../src/worker/start/late-modules.ts";
import { withoutMadeCode } from "../src/worker/start/pyodide-patches.ts";
import { emscriptenFs } from "../src/worker/start/runtime.ts";

const ASSETS = new URL("../../dist/npm/assets/", import.meta.url);
const START = JSON.parse(readFileSync(new URL("start.json", ASSETS), "utf8"));
const PYODIDE = new URL(START.folders.pyodide, ASSETS);
const PACKAGES = new URL(START.folders.packages, ASSETS);
const FOLDERS = {
  assets: fileURLToPath(ASSETS),
  pyodide: fileURLToPath(PYODIDE),
  packages: fileURLToPath(PACKAGES),
  files: {},
  fault: null,
};

const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, ASSETS)));

/** Starts as in a Worker; rejects if a function has another number than the image expects. */
async function start() {
  const loader = await import(new URL("pyodide.mjs", PYODIDE).href);
  const { default: createModule } = await import(new URL("pyodide.asm.mjs", PYODIDE).href);
  const { interpreter, sideModule, memory } = START.image;
  const parts = {
    interpreter: WebAssembly.compile(bytesOf(interpreter.path)),
    sideModule: WebAssembly.compile(bytesOf(sideModule.path)),
    memory: Promise.resolve(bytesOf(memory.path)),
  };
  const code = { loader, createModule: withoutMadeCode(createModule) };
  return restoreWith(code, FOLDERS, START.image, parts, new Stopwatch());
}

function archivesAtHand(): Map<string, FileEntry> {
  const names = Object.keys(START.image.archives);
  const entries = names.map((name): [string, FileEntry] => {
    const folder = name === "python_stdlib.zip" ? START.folders.pyodide : START.folders.packages;
    const bytes = bytesOf(`${folder}${name}`);
    const content = { kind: "bytes", bytes } as const;
    return [name, { kind: "file", sizeBytes: bytes.byteLength, modifiedMs: 0, content }];
  });
  return new Map(entries);
}

test("a start needs only imported code, and numbers functions as the image does", async () => {
  const { Module } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct() {
      throw new WebAssembly.CompileError("code generation is disallowed");
    },
  });
  try {
    const pyodide = await start();
    assert.equal(pyodide.runPython("1 + 1"), 2);
  } finally {
    WebAssembly.Module = Module;
  }
});

test("a module that the image lacks is imported at once from an archive at hand", async () => {
  const pyodide = await start();
  const children = archivesAtHand();
  mountArchives(pyodide, emscriptenFs(pyodide), { kind: "directory", modifiedMs: 0, children });
  const made: unknown = pyodide.runPython(`
import json, sys
before = set(sys.modules)
from pydantic import BaseModel
class Made(BaseModel):
    size: int
required = Made.model_json_schema()["required"]
json.dumps([required, len(set(sys.modules) - before) > 0])
`);
  assert.deepEqual(JSON.parse(String(made)), [["size"], true]);
});
