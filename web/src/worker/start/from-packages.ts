/** The start from the packages: Pyodide loads the wheels that its lock file lists. */
import type { PyodideAPI, PyodideConfig } from "pyodide";
import { findAsset, responseOf } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import type { WorkerHost } from "../worker-host.ts";
import {
  importCreateModule,
  importPyodide,
  missingAssets,
  readListed,
  START_OPTIONS,
} from "./pyodide-modules.ts";
import { answeringFetch } from "./pyodide-patches.ts";

const LOCK = "pyodide-lock.json";

type CreatePyodideModule = NonNullable<PyodideConfig["createPyodideModule"]>;

/** Starts an interpreter that has the wheels; throws `AssetFault`, or `StartFailed` with what to do. */
export async function startFromPackages(
  host: WorkerHost,
  folders: StartFolders,
  report: (event: ProgressEvent) => void,
  stopwatch: Stopwatch,
): Promise<PyodideAPI> {
  const lock = await stopwatch.time("load", async () => {
    await checkAll(host, folders);
    return await fetchLock(host, folders);
  });
  // Pyodide would wait for ever for a file that it cannot use.
  let fail: (fault: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const answer = async (address: string) => {
    try {
      const bytes = await readListed(host, folders, address);
      return bytes === null ? await findAsset(host.readAsset, address) : responseOf(address, bytes);
    } catch (fault) {
      fail(fault);
      throw fault;
    }
  };
  const start = async () => {
    const pyodide = await stopwatch.time("interpreter", () => load(host, folders, lock));
    report({ phase: "runtime", loaded: 1, total: 1 });
    await stopwatch.time("packages", () => loadWheels(pyodide, report));
    return pyodide;
  };
  return Promise.race([answeringFetch(answer, start), failed]);
}

/** Checks the files first where Pyodide reads them from a disk, and not by `fetch`. */
async function checkAll(host: WorkerHost, folders: StartFolders): Promise<void> {
  if (host.readAsset !== undefined) {
    const read = [folders.pyodide, folders.packages];
    const addresses = Object.keys(folders.files).filter((address) =>
      read.some((folder) => address.startsWith(folder)),
    );
    await Promise.all(addresses.map((address) => readListed(host, folders, address)));
  }
}

/** Fetched first and not by Pyodide: this file's absence gives the clearest message. */
async function fetchLock(host: WorkerHost, folders: StartFolders): Promise<string> {
  const { assets, packages } = folders;
  const bytes = await readListed(host, folders, `${packages}${LOCK}`);
  if (bytes === null) {
    throw missingAssets(host, assets, `start.json does not name ${LOCK}`);
  }
  return new TextDecoder().decode(bytes);
}

async function load(host: WorkerHost, folders: StartFolders, lock: string): Promise<PyodideAPI> {
  const { loadPyodide } = await importPyodide(host, folders);
  // Pyodide would import it by itself, and unchecked. `CreateModule` names only the private parts
  // that the patches use.
  const createPyodideModule: unknown = await importCreateModule(host, folders);
  try {
    return await loadPyodide({
      ...START_OPTIONS,
      createPyodideModule: createPyodideModule as CreatePyodideModule,
      indexURL: folders.pyodide,
      packageBaseUrl: folders.packages,
      lockFileContents: lock,
    });
  } catch (error) {
    throw missingAssets(host, folders.assets, "Pyodide did not start", error);
  }
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
