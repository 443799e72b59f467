/** The worker's side in a thread of its own, with the interpreter and the tools that are shipped. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { Stopwatch } from "../../src/protocol/stopwatch.ts";
import { serve } from "../../src/worker/serve.ts";
import { restoreInterpreter } from "../../src/worker/start/from-image.ts";
import { mountLateModules } from "../../src/worker/start/late-modules.ts";
import { emscriptenFs, runtimeOf } from "../../src/worker/start/runtime.ts";

const assets = String(workerData);
const { folders: names, image } = JSON.parse(readFileSync(`${assets}start.json`, "utf8"));
// Paths, since under Node Pyodide opens files where it would fetch addresses in a worker.
const folders = {
  assets,
  pyodide: `${assets}${names.pyodide}`,
  packages: `${assets}${names.packages}`,
};
const bytesOf = (name: string) => new Uint8Array(readFileSync(`${assets}${image[name].path}`));

const page = parentPort;
assert.ok(page);
serve(
  {
    postMessage: (message) => page.postMessage(message),
    addEventListener: (type, listener) => {
      page.on(type, (data: unknown) => listener({ data }));
    },
  },
  {
    runtimeStarter: {
      load: () => undefined,
      start: async () => {
        const parts = {
          interpreter: WebAssembly.compile(bytesOf("interpreter")),
          sideModule: WebAssembly.compile(bytesOf("sideModule")),
          memory: Promise.resolve(bytesOf("memory")),
        };
        const pyodide = await restoreInterpreter(folders, image, parts, new Stopwatch());
        const late = mountLateModules(pyodide, emscriptenFs(pyodide), folders, image.archives);
        const start = { way: "image", reason: null, phases: [] } as const;
        return { runtime: runtimeOf(pyodide, late), start };
      },
    },
    readBlob: () => new Uint8Array(),
  },
);
