/** The host of clients in a page. */

import { explainByPolicy, watchPolicy } from "../../protocol/content-security-policy.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ClientHost } from "../../session/session.ts";
import { didNotStart, importedFrom, inPage, untrusted } from "../../session/start-failure.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import type { WorkerLike } from "../../session/worker-process.ts";

const NO_BROWSER =
  "This client runs in web pages and in their workers, and this program is neither; under Node, Deno, Bun or workerd, import connect from treeglass/edge.";

const NO_WORKERS =
  "This place has no workers, and the tools run in one: a service worker can start none, and a shared worker can in some browsers only. Connect in a page or in a dedicated worker; in a browser extension, in an offscreen document or in the side panel.";

const NO_ASSETS =
  "connect() does not know where this page's assets are, because a bundler put the client into its own file. Run npx treeglass assets public/treeglass, and pass its address as connect({ assets: '/treeglass/' }).";

export const pageHost: ClientHost = {
  get sharesMemory() {
    return globalThis.crossOriginIsolated === true;
  },
  resolveAssets,
  fetchStartFiles(assets) {
    watchPolicy(assets);
    return fetchStartFiles(assets);
  },
  makeWorker,
  explainFailure: (failure, assets) => explainByPolicy("The page's policy", failure, assets),
};

export function workerAddress(assets: string): string {
  return `${assets}worker.js`;
}

function resolveAssets(assets: string | URL | undefined): string {
  // A worker may connect too, and has no document.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (base === undefined) {
    throw new TreeglassError("StartFailed", NO_BROWSER);
  }
  if (typeof Worker !== "function") {
    throw new TreeglassError("StartFailed", NO_WORKERS);
  }
  const given = assets ?? assetsBesideModule(base);
  let address: string;
  try {
    address = new URL(given, base).href;
  } catch (cause) {
    throw new TreeglassError(
      "BadRequest",
      `The option assets is not an address: ${String(given)}`,
      { cause },
    );
  }
  return address.endsWith("/") ? address : `${address}/`;
}

/** Not by `new URL`: bundlers take that, with the module's address in it, for a file to bundle. */
function assetsBesideModule(base: string): string {
  // Missing in a classic script. Webpack and others write the path that the module had when the
  // page was built.
  const address: string | undefined = import.meta.url;
  if (address === undefined || (address.startsWith("file:") && !base.startsWith("file:"))) {
    throw new TreeglassError("StartFailed", NO_ASSETS);
  }
  return address.replace(/[^/]*([?#].*)?$/, "assets/");
}

function makeWorker(assets: string): WorkerLike {
  requireWebAssembly();
  const address = new URL(workerAddress(assets));
  // Not location's origin: a sandboxed frame has its address from a host, and an origin of its own.
  const isForeign = /^https?:$/.test(address.protocol) && address.origin !== globalThis.origin;
  const startWords = () => (isForeign ? importedFrom(address) : inPage(address.href));
  try {
    const worker = isForeign ? makeForeignWorker(address) : makeModuleWorker(address.href);
    return Object.assign(worker, { startWords });
  } catch (cause) {
    throw didNotStart(requiresTrust(cause) ? untrusted(address.href) : startWords(), cause);
  }
}

/** Tells whether the page's policy wants each script address to be vouched for. */
function requiresTrust(cause: unknown): boolean {
  // Without such a policy, no browser throws a TypeError for an address.
  return "trustedTypes" in globalThis && cause instanceof TypeError;
}

export function requireWebAssembly(): void {
  if (typeof WebAssembly !== "object") {
    throw new TreeglassError(
      "StartFailed",
      "This browser has no WebAssembly, or the page's policy forbids it; allow 'wasm-unsafe-eval' in script-src, or use a current browser.",
    );
  }
}

/** Starts a worker from a module of the page's own origin, which imports the other origin's module. */
function makeForeignWorker(address: URL): Worker {
  // An import statement would be held to the policy's worker-src, which would then have to name the
  // other origin as well. Thrown in a timer, since a rejection in a worker never reaches the page.
  const module = `import(${JSON.stringify(address.href)}).catch((error) => setTimeout(() => { throw error; }));`;
  const own = ownAddress(module);
  const worker = makeModuleWorker(own);
  // Not at once: Firefox and WebKit read the module after the constructor returns. They have read
  // it when the worker's hello, its first message, arrives.
  const revoke = () => URL.revokeObjectURL(own);
  worker.addEventListener("message", revoke, { once: true });
  worker.addEventListener("error", revoke, { once: true });
  return worker;
}

/** Apart from the address, since a bundler that sees both bundles the worker. */
function makeModuleWorker(address: string): Worker {
  return new Worker(address, { type: "module", name: "treeglass" });
}

function ownAddress(module: string): string {
  // Chromium starts no module worker from a Blob of a page that has no origin.
  return globalThis.origin === "null"
    ? `data:text/javascript,${encodeURIComponent(module)}`
    : URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
}
