import type { AssetsOptions } from "../../client/connect-options.ts";
import { isRecord } from "../../lib/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { StartFolders } from "../../protocol/start.ts";
import { pageHost, workerAddress } from "./client-host.ts";

/** What every start imports. */
const MODULES = ["pyodide.mjs", "pyodide.asm.mjs"];
/** What a start without an image needs besides. */
const INTERPRETER_FILES = ["pyodide.asm.wasm", "python_stdlib.zip"];
const LOCK = "pyodide-lock.json";

/**
 * Fetches what a start needs, and starts nothing.
 *
 * The files of the memory image are kept, checked and compiled, for the life of the page; all
 * others are left to the browser's cache, so it depends on their `Cache-Control` whether a start
 * asks for them again. Rejects with `StartFailed` where one is missing.
 */
export async function preload(options: AssetsOptions = {}): Promise<void> {
  const assets = pageHost.resolveAssets(options.assets);
  const { plan, files } = pageHost.fetchStartFiles(assets);
  const { pyodide, packages } = (await plan).folders;
  const modules = [workerAddress().href, ...MODULES.map((name) => `${pyodide}${name}`)];
  const cached = all(modules.map((address) => cache(assets, address)));
  // Looked at below, after the image: nobody handles it until then.
  cached.catch(() => undefined);
  const { hasImage } = await files;
  await cached;
  if (!hasImage) {
    await all([
      ...INTERPRETER_FILES.map((name) => cache(assets, `${pyodide}${name}`)),
      cachePackages({ assets, pyodide, packages }),
    ]);
  }
}

/** Waits for all; of several that fail, the first in the list is told of, whichever came first. */
async function all(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(promises)) {
    if (outcome.status === "rejected") {
      throw outcome.reason;
    }
  }
}

async function cachePackages({ assets, packages }: StartFolders): Promise<void> {
  const response = await cache(assets, `${packages}${LOCK}`);
  const lock: unknown = await response.json().catch(() => null);
  if (!isRecord(lock) || !isRecord(lock.packages)) {
    throw missing(assets, `${LOCK} is not the lock of this package`);
  }
  const wheels = Object.values(lock.packages).flatMap((listed) =>
    isRecord(listed) && typeof listed.file_name === "string" ? [listed.file_name] : [],
  );
  await all(wheels.map((name) => cache(assets, new URL(name, packages).href)));
}

/** Returns the answer when all of it has come, so that it is in the browser's cache. */
async function cache(assets: string, address: string): Promise<Response> {
  let response: Response;
  let body: ArrayBuffer;
  try {
    response = await fetch(address, { priority: "low" });
    body = await response.arrayBuffer();
  } catch (cause) {
    throw missing(assets, `${fileName(address)} could not be fetched`, cause);
  }
  if (!response.ok) {
    throw missing(assets, `${fileName(address)} answered ${response.status}`);
  }
  return new Response(body);
}

function fileName(address: string): string {
  return address.split("/").at(-1) ?? address;
}

function missing(assets: string, what: string, cause?: unknown): TreeglassError {
  return new TreeglassError(
    "StartFailed",
    `The runtime could not be fetched from ${assets}: ${what}. Serve the package's assets folder there, or pass its address as preload({ assets }).`,
    { cause },
  );
}
