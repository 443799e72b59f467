/** A real interpreter, for tests of Python's view. */
import assert from "node:assert/strict";
import type { DeferredDirectory, DirectoryEntry } from "../../src/sources/tree.ts";
import type { EmscriptenFs } from "../../src/worker/emscripten-fs.ts";
import { MountedTrees } from "../../src/worker/mounted-trees.ts";
import { isEmscriptenFs } from "../../src/worker/start/runtime.ts";
import { startPyodide } from "./isolate.ts";
import { runAsRequest } from "./run-as-request.ts";

export interface Python {
  readonly fs: EmscriptenFs;
  /** Mounts a tree and returns the directory where Python has it. */
  mount(root: DirectoryEntry | DeferredDirectory): string;
  unmount(host: string): void;
  /**
   * Runs statements that leave something in `answer`, with `root` being a directory, and `trees`
   * what the wheel gets.
   */
  ask(root: string, statements: string): unknown;
  /** Does the same as a call of a tool, which waits for missing entries. */
  look(root: string, statements: string, signal?: AbortSignal): Promise<Looked>;
}

export interface Looked {
  readonly outcome: unknown;
  readonly faults: readonly string[];
  /** How often the statements ran. */
  readonly runs: number;
}

export async function startPython(): Promise<Python> {
  const pyodide = await startPyodide();
  const fs: unknown = pyodide.FS;
  assert(isEmscriptenFs(fs));
  let made = 0;
  const trees = new MountedTrees({ fs, late: null }, () => {
    made += 1;
    return `/treeglass/mounts/${made}`;
  });
  const ask = (root: string, statements: string): unknown => {
    const globals = pyodide.toPy({ root });
    globals.set("trees", trees.calls);
    const lines = `import json, os\n${statements}\njson.dumps(answer)`;
    const answer = runAsRequest(pyodide, lines, globals);
    globals.destroy();
    assert(typeof answer === "string");
    return JSON.parse(answer);
  };
  return {
    fs,
    mount: (root) => trees.add(root, "/project"),
    unmount: (host) => trees.remove(host),
    ask,
    async look(root, statements, signal = new AbortController().signal) {
      let runs = 0;
      const looked = await trees.runUntilComplete(() => {
        runs += 1;
        return ask(root, statements);
      }, signal);
      return { ...looked, runs };
    },
  };
}
