/** What the page starts workers from. */
import { TreeglassError } from "../protocol/errors.ts";
import type { PageSurroundings } from "./runtime/runtime.ts";
import { workerDidNotStart } from "./runtime/worker-process.ts";
import { fetchStartFiles } from "./start-files.ts";

/** Where the runtime is. */
export interface AssetsOptions {
  /**
   * The folder with the runtime and the wheels. @default "assets/" beside this module
   */
  readonly assets?: string | URL;
}

/** Returns the address of an assets folder; throws `BadRequest` for what is none. */
export function assetsAddress(
  assets: string | URL = new URL("./assets/", import.meta.url),
): string {
  let address: string;
  try {
    // A worker may connect too, and has no document.
    address = new URL(assets, globalThis.document?.baseURI ?? location.href).href;
  } catch (cause) {
    throw new TreeglassError("BadRequest", `assets is no address: ${String(assets)}`, { cause });
  }
  return address.endsWith("/") ? address : `${address}/`;
}

/** Returns what a runtime with these assets needs of the page. */
export function pageSurroundings(assets: string): PageSurroundings {
  return {
    makeWorker,
    fetchStartFiles: () => fetchStartFiles(assets),
    sharesMemory: globalThis.crossOriginIsolated === true,
  };
}

/** Returns the address of the worker's module. */
export function workerAddress(): URL {
  return new URL("./worker.js", import.meta.url);
}

function makeWorker(): Worker {
  if (typeof WebAssembly !== "object") {
    throw new TreeglassError(
      "StartFailed",
      "This browser has no WebAssembly, or the page's policy forbids it; allow 'wasm-unsafe-eval' in script-src, or use a current browser.",
    );
  }
  try {
    // Spelled out here: bundlers find a worker by this very expression.
    return new Worker(new URL("./worker.js", import.meta.url), {
      type: "module",
      name: "treeglass",
    });
  } catch (cause) {
    throw workerDidNotStart(cause);
  }
}
