/** Pyodide's JavaScript modules, imported from the assets. */

import { isRecord } from "../../lib/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { WorkerHost } from "../worker-host.ts";
import type { CreateModule } from "./pyodide-patches.ts";

type PyodideModule = typeof import("pyodide");

const LOADER = "pyodide.mjs";
const CREATOR = "pyodide.asm.mjs";

/** Passed to Pyodide at every start; an image holds an interpreter that was started with it. */
export const START_OPTIONS = {
  // There are no plugins, and the search for them imports a dozen modules at every start.
  env: { HOME: "/home/pyodide", PYDANTIC_DISABLE_PLUGINS: "__all__" },
  // Python's output would otherwise appear in the page's console.
  stdout: () => undefined,
  stderr: () => undefined,
} as const;

/** Imports Pyodide's loader; throws `StartFailed` with what to do. */
export async function importPyodide(
  host: WorkerHost,
  { assets, pyodide }: StartFolders,
): Promise<PyodideModule> {
  try {
    const module = await host.importModule(`${pyodide}${LOADER}`);
    if (isPyodideModule(module)) {
      return module;
    }
  } catch (error) {
    throw missingAssets(host, assets, whyNotImported(error), error);
  }
  throw missingAssets(host, assets, "pyodide.mjs is not Pyodide");
}

function whyNotImported(error: unknown): string {
  // What webpack and others put into the place of an import that they cannot follow has this code.
  return isRecord(error) && error.code === "MODULE_NOT_FOUND"
    ? "a bundler replaced import() in the worker's module, which has to stay as it was published"
    : "pyodide.mjs could not be loaded";
}

/** Begins to import Pyodide's modules; a later import of them waits for this one, or fails alike. */
export function beginToImport(host: WorkerHost, { pyodide }: StartFolders): void {
  for (const name of [LOADER, CREATOR]) {
    host.importModule(`${pyodide}${name}`).catch(() => undefined);
  }
}

/** Imports the function that creates Emscripten's module. */
export async function importCreateModule(
  host: WorkerHost,
  { pyodide }: StartFolders,
): Promise<CreateModule> {
  const module = await host.importModule(`${pyodide}${CREATOR}`);
  if (isRecord(module) && typeof module.default === "function") {
    // Its arguments and its result are checked where they are used.
    return module.default as CreateModule;
  }
  throw new Error(`${CREATOR} is not Pyodide's module`);
}

function isPyodideModule(module: unknown): module is PyodideModule {
  return isRecord(module) && typeof module.loadPyodide === "function";
}

/** Returns the `StartFailed` for assets that are not as they were published. */
export function missingAssets(
  host: WorkerHost,
  assets: string,
  what: string,
  cause?: unknown,
): TreeglassError {
  return new TreeglassError("StartFailed", host.wordMissingAssets(assets, what), { cause });
}
