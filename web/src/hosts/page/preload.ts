import { type AssetsOptions, checkedAssetsOptions } from "../../client/connect-options.ts";
import { isRecord } from "../../lib/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { pageHost, workerAddress } from "./client-host.ts";

/** Every start imports these. */
const MODULES = ["pyodide.mjs", "pyodide.asm.mjs"];
/** A start without an image needs these too. */
const INTERPRETER_FILES = [
  "pyodide.asm.first.wasm",
  "pyodide.asm.late.wasm",
  "python_stdlib.zip.bin",
];
const LOCK = "pyodide-lock.json";

/**
 * Fetches the files that a start needs, without starting a worker.
 *
 * The page keeps the files of the memory image, checked and compiled, as long as it lives. The
 * browser's cache keeps the others, so their `Cache-Control` decides whether a start requests them
 * again. Rejects with `StartFailed` if one is missing.
 */
export async function preload(options: AssetsOptions = {}): Promise<void> {
  const assets = pageHost.resolveAssets(checkedAssetsOptions(options).assets);
  const { plan, files } = pageHost.fetchStartFiles(assets);
  const { pyodide, packages, fault } = (await plan).folders;
  if (fault !== null) {
    throw missing(assets, fault);
  }
  const modules = [workerAddress(assets), ...MODULES.map((name) => `${pyodide}${name}`)];
  const cached = all(modules.map((address) => cache(assets, address)));
  // Awaited below, after the image: a rejection until then is not unhandled.
  cached.catch(() => undefined);
  const { hasImage } = await files;
  await cached;
  if (!hasImage) {
    await all([
      ...INTERPRETER_FILES.map((name) => cache(assets, `${pyodide}${name}`)),
      cachePackages(assets, packages),
    ]);
  }
}

/** Waits for all, then rejects with the fault of the first in the list that failed. */
async function all(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(promises)) {
    if (outcome.status === "rejected") {
      throw outcome.reason;
    }
  }
}

async function cachePackages(assets: string, packages: string): Promise<void> {
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

/** Returns the response after its whole body has arrived, and so is in the browser's cache. */
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
