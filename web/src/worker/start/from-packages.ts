/** The ordinary start: Pyodide, and the wheels of the lock. */
import type { PyodideAPI, PyodideConfig } from "pyodide";
import { isRecord } from "../../lib/checks.ts";
import { fetchAsset, findAsset, holdsAssets } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import {
  importCreateModule,
  importPyodide,
  missingAssets,
  START_OPTIONS,
} from "./pyodide-modules.ts";

type CreatePyodideModule = NonNullable<PyodideConfig["createPyodideModule"]>;

/** Starts an interpreter that has the wheels; throws `StartFailed` with what to do. */
export async function startFromPackages(
  folders: StartFolders,
  report: (event: ProgressEvent) => void,
  stopwatch: Stopwatch,
): Promise<PyodideAPI> {
  const lock = await stopwatch.time("load", () => fetchLock(folders));
  return findingAssets(async () => {
    const pyodide = await stopwatch.time("interpreter", () => load(folders, lock));
    report({ phase: "runtime", loaded: 1, total: 1 });
    await stopwatch.time("packages", () => loadWheels(pyodide, report));
    return pyodide;
  });
}

/** Has Pyodide, which fetches by itself, find what is at hand. */
async function findingAssets<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  if (!holdsAssets()) {
    return work();
  }
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) =>
    (await findAsset(input instanceof Request ? input.url : String(input))) ?? fetch(input, init);
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}

/** Fetched first and by us: of all assets its absence can be told best. */
async function fetchLock({ assets, packages }: StartFolders): Promise<string> {
  let text: string;
  try {
    const response = await fetchAsset(`${packages}pyodide-lock.json`);
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

async function load(folders: StartFolders, lock: string): Promise<PyodideAPI> {
  const { loadPyodide } = await importPyodide(folders);
  try {
    const held = holdsAssets() ? { createPyodideModule: await creatorOf(folders) } : {};
    return await loadPyodide({
      ...START_OPTIONS,
      ...held,
      indexURL: folders.pyodide,
      packageBaseUrl: folders.packages,
      lockFileContents: lock,
    });
  } catch (error) {
    throw missingAssets(folders.assets, "Pyodide did not start", error);
  }
}

/** Which Pyodide would otherwise import by itself, from its address. */
async function creatorOf(folders: StartFolders): Promise<CreatePyodideModule> {
  const createModule: unknown = await importCreateModule(folders);
  // Our own type of it names what an image meets, and no more.
  return createModule as CreatePyodideModule;
}

async function loadWheels(
  pyodide: PyodideAPI,
  report: (event: ProgressEvent) => void,
): Promise<void> {
  report({ phase: "packages", loaded: 0, total: 1, item: "treeglass" });
  const faults: string[] = [];
  await pyodide.loadPackage("treeglass", {
    messageCallback: () => undefined,
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
