/** A start in workerd differs from one in a page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Stopwatch } from "../../src/protocol/stopwatch.ts";
import { restoreWith } from "../../src/worker/start/from-image.ts";
import { placeArchive } from "../../src/worker/start/late-files.ts";
import { linkingWhole } from "../../src/worker/start/patches/code.ts";
import { withoutMadeCode } from "../../src/worker/start/patches/made-code.ts";
import { compiledLateParts } from "../support/isolate.ts";
import { archivesAtHand } from "../support/python/archives-at-hand.ts";
import { runAsRequest } from "../support/python/run-as-request.ts";

const ASSETS = new URL("../../../dist/npm/assets/", import.meta.url);
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
  const { memory } = START.image;
  const parts = {
    interpreter: WebAssembly.compile(bytesOf(START.image.interpreter.path)),
    sideModule: WebAssembly.compile(bytesOf(START.image.sideModule.path)),
    memory: Promise.resolve(bytesOf(memory.path)),
  };
  const link = linkingWhole(await compiledLateParts());
  const code = { loader, link, createModule: withoutMadeCode(createModule) };
  return restoreWith(code, FOLDERS, START.image, parts, new Stopwatch());
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
    assert.equal(pyodide.pyimport("builtins").pow(2, 3), 8);
  } finally {
    WebAssembly.Module = Module;
  }
});

test("a module that the image lacks is imported at once from an archive at hand", async () => {
  const pyodide = await start();
  for (const [name, bytes] of archivesAtHand()) {
    placeArchive(pyodide, name, bytes);
  }
  const hasModule = () => runAsRequest(pyodide, 'import sys\n"treeglass.search" in sys.modules');
  const before = hasModule();
  const made = runAsRequest(
    pyodide,
    `
import json
import treeglass.search
from pydantic import BaseModel
class Made(BaseModel):
    size: int
json.dumps(Made.model_json_schema()["required"])
`,
  );
  assert.deepEqual([before, JSON.parse(String(made)), hasModule()], [false, ["size"], true]);
});
