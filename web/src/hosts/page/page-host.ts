/** What the page starts workers from. */
import { TreeglassError } from "../../protocol/errors.ts";
import { didNotStart, IN_PAGE, importedFrom } from "../../session/start-failure.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import type { PageSurroundings } from "../../session/worker-owner.ts";
import type { WorkerLike } from "../../session/worker-process.ts";

const NO_BROWSER =
  "The client runs in web pages and in their workers, and this program is neither; outside of a browser use the Python package treeglass, which has the same tools.";

/** Apart from its use: bundlers look for files by that expression, and the assets are a folder. */
const moduleAddress = import.meta.url;

/**
 * Returns the address of an assets folder.
 *
 * Throws `BadRequest` for what is none, and `StartFailed` where neither page nor worker is around.
 */
export function assetsAddress(assets: string | URL = new URL("./assets/", moduleAddress)): string {
  // A worker may connect too, and has no document.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (base === undefined) {
    throw new TreeglassError("StartFailed", NO_BROWSER);
  }
  let address: string;
  try {
    address = new URL(assets, base).href;
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

/**
 * Has every worker of this page made so, where no `worker.js` can be loaded from beside this module.
 *
 * What is made has to be the same worker.
 */
export function makeWorkersBy(make: () => WorkerLike): void {
  makeOwnWorker = make;
}

let makeOwnWorker: (() => WorkerLike) | null = null;

/** Returns the address of the worker's module. */
export function workerAddress(): URL {
  return new URL("./worker.js", import.meta.url);
}

function makeWorker(): WorkerLike {
  if (typeof WebAssembly !== "object") {
    throw new TreeglassError(
      "StartFailed",
      "This browser has no WebAssembly, or the page's policy forbids it; allow 'wasm-unsafe-eval' in script-src, or use a current browser.",
    );
  }
  if (makeOwnWorker !== null) {
    return makeOwnWorker();
  }
  const address = workerAddress();
  // Not location's origin: a sandboxed frame has its address from a host, and an origin of its own.
  const isForeign = /^https?:$/.test(address.protocol) && address.origin !== globalThis.origin;
  try {
    if (isForeign) {
      return makeForeignWorker(address);
    }
    // Spelled out here: bundlers find a worker by this very expression.
    return new Worker(new URL("./worker.js", import.meta.url), {
      type: "module",
      name: "treeglass",
    });
  } catch (cause) {
    throw didNotStart(isForeign ? importedFrom(address) : IN_PAGE, cause);
  }
}

/** Starts a worker from a module of the page's own, which imports that of the other origin. */
function makeForeignWorker(address: URL): WorkerLike {
  // An import statement would be held to the policy's worker-src, in which the other origin would
  // have to stand as well. Thrown later, since a rejection in a worker never reaches the page.
  const module = `import(${JSON.stringify(address.href)}).catch((error) => setTimeout(() => { throw error; }));`;
  const own = ownAddress(module);
  const worker = new Worker(own, { type: "module", name: "treeglass" });
  // Not at once: Firefox and WebKit read it after the constructor is done. By the first message,
  // which is the worker's hello, it is read.
  const revoke = () => URL.revokeObjectURL(own);
  worker.addEventListener("message", revoke, { once: true });
  worker.addEventListener("error", revoke, { once: true });
  return Object.assign(worker, { startWords: importedFrom(address) });
}

function ownAddress(module: string): string {
  // Chromium starts no worker with modules from a Blob of a page without an origin.
  return globalThis.origin === "null"
    ? `data:text/javascript,${encodeURIComponent(module)}`
    : URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
}
