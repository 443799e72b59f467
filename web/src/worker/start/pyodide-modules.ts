/** Pyodide's JavaScript modules, from the folder that the page names. */
import { isRecord } from "../../protocol/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { StartFolders } from "../../protocol/start.ts";

type PyodideModule = typeof import("pyodide");

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
    const module: unknown = await import(`${pyodide}pyodide.mjs`);
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
  for (const name of ["pyodide.mjs", "pyodide.asm.mjs"]) {
    import(`${pyodide}${name}`).catch(() => undefined);
  }
}

function isPyodideModule(module: unknown): module is PyodideModule {
  return isRecord(module) && typeof module.loadPyodide === "function";
}

/** Returns what to say where the assets are not as they were published. */
export function missingAssets(assets: string, what: string, cause?: unknown): TreeglassError {
  return new TreeglassError(
    "StartFailed",
    `The runtime could not be loaded from ${assets}: ${what}. Serve the package's assets folder there, or pass its address as connect({ assets }).`,
    { cause },
  );
}
