/** The worker's side in a thread of its own, with tools that run until they are stopped. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import { LateCodeMissing } from "../../src/worker/bridge.ts";
import { serve } from "../../src/worker/serve.ts";
import type { Runtime } from "../../src/worker/start/runtime.ts";
import { RESULT } from "./connected.ts";
import { NO_ZLIB, workerHostWith } from "./hosts.ts";

const page = parentPort;
assert.ok(page);

const SIGINT = 2;
const SAVE_MS = 150;

/** Pyodide throws this if Python was interrupted. */
class Interrupted extends Error {
  readonly type = "KeyboardInterrupt";
}

let interpretersLeft: number = workerData.interpreters;
let signal: Uint8Array = new Uint8Array(1);

const tools: Readonly<Record<string, () => void>> = {
  spin: () => {
    while (Atomics.load(signal, 0) !== SIGINT) {}
    signal[0] = 0;
    throw new Interrupted("KeyboardInterrupt");
  },
  // An interrupt comes too late to stop it.
  outlast: () => {
    while (Atomics.load(signal, 0) !== SIGINT) {}
    signal[0] = 0;
  },
  // No interrupt ends it.
  hang: () => {
    page.postMessage("hangs");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  die: () => {
    throw new Error("RuntimeError: unreachable");
  },
  // What needs a late part while it cannot be fetched.
  lack: () => {
    throw new LateCodeMissing("late.wasm could not be fetched", "Serve late.wasm.", null);
  },
};

/** Takes longer than the page waits between two interrupts; throws if one arrives. */
function saveSlowly(): string {
  const start = performance.now();
  while (performance.now() - start < SAVE_MS) {
    if (Atomics.load(signal, 0) === SIGINT) {
      signal[0] = 0;
      throw new Interrupted("KeyboardInterrupt");
    }
  }
  return JSON.stringify({ result: { state: btoa("saved") } });
}

/** A bridge whose other tools return the mounts and the configuration. */
function openBridge(): (requestText: string) => string {
  const mounted = new Set<string>();
  let config = {};
  return (requestText) => {
    const { method, params } = JSON.parse(requestText);
    if (method === "configure") {
      config = params.config;
    } else if (method === "mount") {
      // A path may name a tool, which the mount runs first.
      tools[params.path.slice(1)]?.();
      mounted.add(params.path);
    } else if (method === "unmount") {
      mounted.delete(params.path);
    } else if (method === "callTool") {
      tools[params.name]?.();
      const content = JSON.stringify([params.name, [...mounted], config]);
      const spent = params.name === "exhaust" ? { ranOutOfMemory: true } : {};
      const changed = params.name === "outlast" ? { version: 1 } : {};
      return JSON.stringify({ result: { ...RESULT, content, ...spent, ...changed } });
    } else if (method === "saveState") {
      return saveSlowly();
    }
    return JSON.stringify({ result: method === "listTools" ? { tools: [] } : {} });
  };
}

const runtime: Runtime = {
  openBridge,
  late: null,
  zlib: () => NO_ZLIB,
  setInterruptBuffer: (buffer) => {
    signal = buffer ?? new Uint8Array(1);
  },
};

serve(
  {
    postMessage: (message) => page.postMessage(message),
    addEventListener: (type, listener) => {
      page.on(type, (data: unknown) => listener({ data }));
    },
  },
  workerHostWith(),
  {
    load: () => undefined,
    start: async () => {
      interpretersLeft -= 1;
      if (interpretersLeft < 0) {
        throw new Error("out of memory");
      }
      return { runtime, start: { way: "packages", reason: null, phases: [] } };
    },
  },
);
