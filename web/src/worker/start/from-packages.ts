/** The start from the packages: Pyodide loads the wheels that its lock file lists. */
import type { PyodideAPI, PyodideConfig } from "pyodide";
import { isRecord } from "../../lib/checks.ts";
import { fetchAsset, findAsset } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import type { WorkerHost } from "../worker-host.ts";
import {
  importCreateModule,
  importPyodide,
  missingAssets,
  START_OPTIONS,
} from "./pyodide-modules.ts";
import { answeringFetch } from "./pyodide-patches.ts";

type CreatePyodideModule = NonNullable<PyodideConfig["createPyodideModule"]>;

/** Starts an interpreter that has the wheels; throws `StartFailed` with what to do. */
export async function startFromPackages(
  host: WorkerHost,
  folders: StartFolders,
  report: (event: ProgressEvent) => void,
  stopwatch: Stopwatch,
): Promise<PyodideAPI> {
  const lock = await stopwatch.time("load", () => fetchLock(host, folders));
  const start = async () => {
    const pyodide = await stopwatch.time("interpreter", () => load(host, folders, lock));
    report({ phase: "runtime", loaded: 1, total: 1 });
    await stopwatch.time("packages", () => loadWheels(pyodide, report));
    return pyodide;
  };
  const { readAsset } = host;
  return readAsset === undefined
    ? start()
    : answeringFetch((address) => findAsset(readAsset, address), start);
}

/** Fetched first and not by Pyodide: this file's absence gives the clearest message. */
async function fetchLock(host: WorkerHost, { assets, packages }: StartFolders): Promise<string> {
  let text: string;
  try {
    const response = await fetchAsset(host.readAsset, `${packages}pyodide-lock.json`);
    if (!response.ok) {
      throw missingAssets(host, assets, `pyodide-lock.json answered ${response.status}`);
    }
    text = await response.text();
  } catch (error) {
    throw error instanceof TreeglassError
      ? error
      : missingAssets(host, assets, "pyodide-lock.json could not be fetched", error);
  }
  try {
    const lock: unknown = JSON.parse(text);
    if (isRecord(lock) && isRecord(lock.packages) && isRecord(lock.packages.treeglass)) {
      return text;
    }
  } catch (error) {
    throw missingAssets(host, assets, "pyodide-lock.json is not JSON but perhaps a page", error);
  }
  throw missingAssets(host, assets, "pyodide-lock.json does not list treeglass");
}

async function load(host: WorkerHost, folders: StartFolders, lock: string): Promise<PyodideAPI> {
  const { loadPyodide } = await importPyodide(host, folders);
  try {
    // Pyodide would otherwise import it from its address by itself.
    const creator =
      host.readAsset === undefined ? {} : { createPyodideModule: await creatorOf(host, folders) };
    return await loadPyodide({
      ...START_OPTIONS,
      ...creator,
      indexURL: folders.pyodide,
      packageBaseUrl: folders.packages,
      lockFileContents: lock,
    });
  } catch (error) {
    throw missingAssets(host, folders.assets, "Pyodide did not start", error);
  }
}

async function creatorOf(host: WorkerHost, folders: StartFolders): Promise<CreatePyodideModule> {
  const createModule: unknown = await importCreateModule(host, folders);
  // `CreateModule` names only the private parts that the patches use.
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
