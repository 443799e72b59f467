/** Pyodide with the wheel in it: text in, text out. */
import type { PyodideAPI } from "pyodide";
import { isRecord } from "../protocol/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ProgressEvent } from "../protocol/mounts.ts";
import type { EmscriptenFs } from "./emscripten-fs.ts";

/** What the worker needs of a running interpreter. */
export interface Interpreter {
  readonly fs: EmscriptenFs;
  /** Hands a request to the wheel's bridge and returns its answer; both are JSON text. */
  handle(requestText: string): string;
}

/** Loads an interpreter from a folder's address; throws `StartFailed` with what to do. */
export type StartInterpreter = (
  assets: string,
  report: (event: ProgressEvent) => void,
) => Promise<Interpreter>;

type PyodideModule = typeof import("pyodide");

/** Loads Pyodide, the wheels of the lock and the bridge. */
export const startInterpreter: StartInterpreter = async (assets, report) => {
  report({ phase: "runtime", loaded: 0, total: 1 });
  const lock = await fetchLock(assets);
  const { loadPyodide } = await importPyodide(assets);
  const pyodide = await load(loadPyodide, assets, lock);
  report({ phase: "runtime", loaded: 1, total: 1 });
  await loadWheels(pyodide, report);
  const fs: EmscriptenFs = emscriptenFs(pyodide);
  const handle = createBridge(pyodide);
  report({ phase: "ready", loaded: 1, total: 1 });
  return { fs, handle };
};

/** Fetched first and by us: of all assets its absence can be told best. */
async function fetchLock(assets: string): Promise<string> {
  const address = `${assets}pyodide-lock.json`;
  let text: string;
  try {
    const response = await fetch(address);
    if (!response.ok) {
      throw missingAssets(assets, `pyodide-lock.json answered ${response.status}`);
    }
    text = await response.text();
  } catch (error) {
    throw error instanceof TreeglassError
      ? error
      : missingAssets(assets, "pyodide-lock.json could not be fetched", error);
  }
  try {
    const lock: unknown = JSON.parse(text);
    if (isRecord(lock) && isRecord(lock.packages) && isRecord(lock.packages.treeglass)) {
      return text;
    }
  } catch (error) {
    throw missingAssets(assets, "pyodide-lock.json is not JSON but perhaps a page", error);
  }
  throw missingAssets(assets, "pyodide-lock.json does not list treeglass");
}

async function importPyodide(assets: string): Promise<PyodideModule> {
  try {
    const module: unknown = await import(`${assets}pyodide.mjs`);
    if (isPyodideModule(module)) {
      return module;
    }
  } catch (error) {
    throw missingAssets(assets, "pyodide.mjs could not be loaded", error);
  }
  throw missingAssets(assets, "pyodide.mjs is not Pyodide");
}

async function load(
  loadPyodide: PyodideModule["loadPyodide"],
  assets: string,
  lock: string,
): Promise<PyodideAPI> {
  try {
    return await loadPyodide({
      indexURL: assets,
      packageBaseUrl: assets,
      lockFileContents: lock,
      // Looking for plugins imports a dozen modules at every start, and there are none.
      env: { HOME: "/home/pyodide", PYDANTIC_DISABLE_PLUGINS: "__all__" },
      stdout: ignoreOutput,
      stderr: ignoreOutput,
    });
  } catch (error) {
    throw missingAssets(assets, "Pyodide did not start", error);
  }
}

async function loadWheels(
  pyodide: PyodideAPI,
  report: (event: ProgressEvent) => void,
): Promise<void> {
  report({ phase: "packages", loaded: 0, total: 1, item: "treeglass" });
  const faults: string[] = [];
  await pyodide.loadPackage("treeglass", {
    messageCallback: ignoreOutput,
    errorCallback: (message) => faults.push(message),
  });
  if (!("treeglass" in pyodide.loadedPackages)) {
    throw new TreeglassError(
      "StartFailed",
      `The Python packages did not load: ${faults.join("; ") || "no reason given"}. Serve every file of the package's assets folder.`,
    );
  }
  report({ phase: "packages", loaded: 1, total: 1, item: "treeglass" });
}

function createBridge(pyodide: PyodideAPI): (requestText: string) => string {
  const handle: unknown = pyodide.runPython("from treeglass.bridge import Bridge\nBridge().handle");
  if (typeof handle !== "function") {
    throw new TreeglassError("StartFailed", "The wheel has no bridge; install the package again.");
  }
  return (requestText) => {
    const answer: unknown = handle(requestText);
    if (typeof answer !== "string") {
      throw new TreeglassError(
        "WorkerFailed",
        "The bridge answered with something else than text.",
      );
    }
    return answer;
  };
}

function emscriptenFs(pyodide: PyodideAPI): EmscriptenFs {
  const fs: unknown = pyodide.FS;
  if (!isEmscriptenFs(fs)) {
    throw new TreeglassError(
      "StartFailed",
      "The runtime's filesystem is another one than expected; use the Pyodide that is in the package's assets folder.",
    );
  }
  return fs;
}

/** Tells whether an object is Emscripten's filesystem, as far as a mount needs it. */
export function isEmscriptenFs(fs: unknown): fs is EmscriptenFs {
  const needed = [
    "ErrnoError",
    "createNode",
    "destroyNode",
    "closeStream",
    "mkdirTree",
    "rmdir",
    "mount",
    "unmount",
  ];
  return isRecord(fs) && needed.every((name) => typeof fs[name] === "function");
}

function isPyodideModule(module: unknown): module is PyodideModule {
  return isRecord(module) && typeof module.loadPyodide === "function";
}

function missingAssets(assets: string, what: string, cause?: unknown): TreeglassError {
  return new TreeglassError(
    "StartFailed",
    `The runtime could not be loaded from ${assets}: ${what}. Serve the package's assets folder there, or pass its address as connect({ assets }).`,
    { cause },
  );
}

function ignoreOutput(): void {
  // What Python prints would otherwise land in the page's console.
}
