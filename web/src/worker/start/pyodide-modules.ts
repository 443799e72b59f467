/** Pyodide's JavaScript modules, from the folder that the page names. */

import { isRecord } from "../../lib/checks.ts";
import { findAsset, holdsAssets, wordMissingAssets } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { CreateModule } from "./image-module.ts";

type PyodideModule = typeof import("pyodide");

const LOADER = "pyodide.mjs";
const CREATOR = "pyodide.asm.mjs";

/** What every start passes to Pyodide; an image holds an interpreter that was started with it. */
export const START_OPTIONS = {
  // Looking for plugins imports a dozen modules at every start, and there are none.
  env: { HOME: "/home/pyodide", PYDANTIC_DISABLE_PLUGINS: "__all__" },
  // What Python prints would otherwise land in the page's console.
  stdout: () => undefined,
  stderr: () => undefined,
} as const;

/** Imports Pyodide's loader; throws `StartFailed` with what to do. */
export async function importPyodide({ assets, pyodide }: StartFolders): Promise<PyodideModule> {
  try {
    const module: unknown = await importAsset(pyodide, LOADER);
    if (isPyodideModule(module)) {
      return module;
    }
  } catch (error) {
    throw missingAssets(assets, "pyodide.mjs could not be loaded", error);
  }
  throw missingAssets(assets, "pyodide.mjs is not Pyodide");
}

/** Imports Pyodide's modules; whoever imports them later finds them there, or learns what is wrong. */
export function beginToImport({ pyodide }: StartFolders): void {
  for (const name of [LOADER, CREATOR]) {
    importAsset(pyodide, name).catch(() => undefined);
  }
}

/** Imports what creates Emscripten's module. */
export async function importCreateModule({ pyodide }: StartFolders): Promise<CreateModule> {
  const module = await importAsset(pyodide, CREATOR);
  if (isRecord(module) && typeof module.default === "function") {
    // What it takes and gives is looked at where it is used.
    return module.default as CreateModule;
  }
  throw new Error(`${CREATOR} is not Pyodide's module`);
}

type ImportModule = (address: string) => Promise<unknown>;

let importNext: ImportModule | null = null;

/** Has Pyodide's modules imported so, where an address of the assets is not what `import` takes. */
export function importModulesBy(importModule: ImportModule): void {
  importNext = importModule;
}

/** By address: as with any import, there is one instance of a module. */
const heldModules = new Map<string, Promise<unknown>>();

async function importAsset(folder: string, name: string): Promise<unknown> {
  if (importNext !== null) {
    return importNext(`${folder}${name}`);
  }
  if (!holdsAssets()) {
    return import(`${folder}${name}`);
  }
  const address = `${folder}${name}`;
  const imported = heldModules.get(address) ?? importHeld(address);
  heldModules.set(address, imported);
  return imported;
}

async function importHeld(address: string): Promise<unknown> {
  const held = await findAsset(address);
  if (held === null) {
    return import(`${address}`);
  }
  // Made here: Chromium lets a worker without an origin import no Blob that its page has made.
  const own = URL.createObjectURL(await held.blob());
  try {
    return await import(`${own}`);
  } finally {
    URL.revokeObjectURL(own);
  }
}

function isPyodideModule(module: unknown): module is PyodideModule {
  return isRecord(module) && typeof module.loadPyodide === "function";
}

/** Returns what to say where the assets are not as they were published. */
export function missingAssets(assets: string, what: string, cause?: unknown): TreeglassError {
  const message = wordMissingAssets(assets, what);
  return new TreeglassError("StartFailed", message, { cause });
}
