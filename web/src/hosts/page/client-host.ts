/** What a page can do for its clients. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { ClientHost } from "../../session/client-host.ts";
import { didNotStart, IN_PAGE, importedFrom } from "../../session/start-failure.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import type { WorkerLike } from "../../session/worker-process.ts";

const NO_BROWSER =
  "The client runs in web pages and in their workers, and this program is neither; outside of a browser use the Python package treeglass, which has the same tools.";

/** Apart from its use: bundlers look for files by that expression, and the assets are a folder. */
const moduleAddress = import.meta.url;

export const pageHost: ClientHost = {
  get sharesMemory() {
    return globalThis.crossOriginIsolated === true;
  },
  resolveAssets,
  fetchStartFiles,
  makeWorker,
};

/** Returns the address of the worker's module. */
export function workerAddress(): URL {
  return new URL("./worker.js", import.meta.url);
}

function resolveAssets(assets: string | URL = new URL("./assets/", moduleAddress)): string {
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

function makeWorker(): WorkerLike {
  requireWebAssembly();
  const address = workerAddress();
  // Not location's origin: a sandboxed frame has its address from a host, and an origin of its own.
  const isForeign = /^https?:$/.test(address.protocol) && address.origin !== globalThis.origin;
  try {
    if (isForeign) {
      return makeForeignWorker(address);
    }
    // Repeats the address: bundlers find a worker by this very expression.
    return new Worker(new URL("./worker.js", import.meta.url), {
      type: "module",
      name: "treeglass",
    });
  } catch (cause) {
    throw didNotStart(isForeign ? importedFrom(address) : IN_PAGE, cause);
  }
}

/** Throws `StartFailed` if this page cannot run WebAssembly. */
export function requireWebAssembly(): void {
  if (typeof WebAssembly !== "object") {
    throw new TreeglassError(
      "StartFailed",
      "This browser has no WebAssembly, or the page's policy forbids it; allow 'wasm-unsafe-eval' in script-src, or use a current browser.",
    );
  }
}

/** Starts a worker from a module of the page's own origin, which imports the other origin's module. */
function makeForeignWorker(address: URL): WorkerLike {
  // An import statement would be held to the policy's worker-src, which would then have to name the
  // other origin as well. Thrown in a timer, since a rejection in a worker never reaches the page.
  const module = `import(${JSON.stringify(address.href)}).catch((error) => setTimeout(() => { throw error; }));`;
  const own = ownAddress(module);
  const worker = new Worker(own, { type: "module", name: "treeglass" });
  // Not at once: Firefox and WebKit read the module after the constructor returns. They have read
  // it when the worker's hello, its first message, arrives.
  const revoke = () => URL.revokeObjectURL(own);
  worker.addEventListener("message", revoke, { once: true });
  worker.addEventListener("error", revoke, { once: true });
  return Object.assign(worker, { startWords: importedFrom(address) });
}

function ownAddress(module: string): string {
  // Chromium starts no module worker from a Blob of a page that has no origin.
  return globalThis.origin === "null"
    ? `data:text/javascript,${encodeURIComponent(module)}`
    : URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
}
