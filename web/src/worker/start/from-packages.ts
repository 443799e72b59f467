/** The start from the packages: Pyodide loads the wheels that its lock file lists. */
import type { PyodideAPI } from "pyodide";
import { findAsset, responseOf } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { StartFolders } from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import type { WorkerHost } from "../worker-host.ts";
import { creatingModule, linkingWhole } from "./patches/code.ts";
import {
  answeringFetch,
  importCreateModule,
  importPyodide,
  loadInterpreter,
  missingAssets,
  readListed,
} from "./pyodide-modules.ts";

const LOCK = "pyodide-lock.json";
/** The interpreter's code: whole, or the part that has to be there first. */
const INTERPRETER = ["pyodide.asm.wasm", "pyodide.asm.first.wasm"];

/** Starts an interpreter that has the wheels; throws `AssetFault`, or `StartFailed` with what to do. */
export async function startFromPackages(
  host: WorkerHost,
  folders: StartFolders,
  report: (event: ProgressEvent) => void,
  stopwatch: Stopwatch,
): Promise<PyodideAPI> {
  const { files, lock } = await stopwatch.time("load", () => readAll(host, folders));
  const answer = async (address: string) => {
    const bytes = files.get(address);
    return bytes === undefined ? findAsset(host.readAsset, address) : responseOf(address, bytes);
  };
  return await answeringFetch(answer, async () => {
    const pyodide = await stopwatch.time("interpreter", () => load(host, folders, files, lock));
    report({ phase: "runtime", loaded: 1, total: 1 });
    await stopwatch.time("packages", () => loadWheels(pyodide, report));
    return pyodide;
  });
}

/**
 * Reads and checks what Pyodide will ask for, and the text of the lock.
 *
 * Before it starts: it would wait for ever for a file that it cannot use. Where it reads files from
 * a disk, it reads them again, and is given none of these.
 */
async function readAll(
  host: WorkerHost,
  folders: StartFolders,
): Promise<{ files: Map<string, Uint8Array<ArrayBuffer>>; lock: string }> {
  const { assets, pyodide, packages } = folders;
  // Of the side module, the wheel has a copy that is whole.
  const addresses = Object.keys(folders.files).filter((address) =>
    address.startsWith(pyodide)
      ? !address.endsWith(".mjs")
      : address.startsWith(packages) && !address.endsWith(".wasm"),
  );
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  await Promise.all(
    addresses.map(async (address) => {
      const bytes = await readListed(host, folders, address);
      if (bytes !== null) {
        files.set(address, bytes);
      }
    }),
  );
  const lock = files.get(`${packages}${LOCK}`);
  if (lock === undefined) {
    throw missingAssets(host, assets, `start.json does not name ${LOCK}`);
  }
  return { files, lock: new TextDecoder().decode(lock) };
}

async function load(
  host: WorkerHost,
  folders: StartFolders,
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  lock: string,
): Promise<PyodideAPI> {
  const loader = await importPyodide(host, folders);
  const createModule = await importCreateModule(host, folders);
  const bytes = INTERPRETER.map((name) => files.get(`${folders.pyodide}${name}`)).find(Boolean);
  if (bytes === undefined) {
    throw missingAssets(host, folders.assets, `start.json does not name ${INTERPRETER[0]}`);
  }
  try {
    const link = linkingWhole(await compileLateParts(files));
    return await loadInterpreter(loader, folders, {
      // Pyodide would import the module by itself, and unchecked.
      createPyodideModule: creatingModule(createModule, bytes, link),
      lockFileContents: lock,
    });
  } catch (error) {
    throw missingAssets(host, folders.assets, "Pyodide did not start", error);
  }
}

/** Returns the late parts among these files, compiled, by their names. */
async function compileLateParts(
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Promise<Record<string, WebAssembly.Module>> {
  const late = [...files].filter(([address]) => address.endsWith(".late.wasm"));
  const compiled = late.map(
    async ([address, bytes]) =>
      [address.slice(address.lastIndexOf("/") + 1), await WebAssembly.compile(bytes)] as const,
  );
  return Object.fromEntries(await Promise.all(compiled));
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
