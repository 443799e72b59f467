/**
 * Modules that are not in an image: importing one fetches the archive that has it.
 *
 * An import cannot wait. It fails like a file that has not arrived yet, and its call runs again
 * after the archive has arrived; see `CallView`.
 */
import type { PyodideAPI } from "pyodide";
import { readIntact } from "../../protocol/asset-files.ts";
import type { ImageOrigin, StartFolders } from "../../protocol/start.ts";
import type {
  DeferredDirectory,
  DeferredFile,
  DirectoryEntry,
  TreeEntry,
} from "../../sources/tree.ts";
import { ByteCache } from "../byte-cache.ts";
import { CallView } from "../call-view.ts";
import type { EmscriptenFs } from "../emscripten-fs.ts";
import { TreeFs } from "../treefs.ts";
import type { WorkerHost } from "../worker-host.ts";
import { LATE_FOLDER, STANDARD_LIBRARY, STANDARD_LIBRARY_PATH } from "./image-layout.ts";

/** The archives that an interpreter's imports may have to wait for. */
export interface LateModules {
  /** Whether an import failed because its archive has not arrived. */
  readonly isMissing: boolean;
  /** Waits for these archives; rejects with the signal's reason once that aborts. */
  wait(signal: AbortSignal): Promise<void>;
  /** Makes the next import try the archives again that could not be fetched. */
  forget(): void;
}

/** Puts the archives where the image's interpreter looks for them. */
export function mountLateModules(
  host: WorkerHost,
  pyodide: PyodideAPI,
  fs: EmscriptenFs,
  { pyodide: engine, packages }: StartFolders,
  integrities: ImageOrigin["archives"],
): LateModules {
  const archives = new Map<string, DeferredFile>();
  for (const [name, integrity] of Object.entries(integrities)) {
    const folder = name === STANDARD_LIBRARY ? engine : packages;
    archives.set(name, lateArchive(host, `${folder}${name}`, integrity));
  }
  const find = async (name: string): Promise<TreeEntry | null> => archives.get(name) ?? null;
  const list = async () => new Map<string, TreeEntry>();
  return mountArchives(pyodide, fs, { kind: "deferred-directory", find, list });
}

/** The same for archives by their names, from any source. */
export function mountArchives(
  pyodide: PyodideAPI,
  fs: EmscriptenFs,
  archives: DirectoryEntry | DeferredDirectory,
): LateModules {
  const view = new CallView();
  const tree = new TreeFs(fs, archives, {
    cache: new ByteCache(),
    view,
    reportError: () => undefined,
  });
  fs.mkdirTree(LATE_FOLDER);
  fs.mount(tree.type, {}, LATE_FOLDER);
  pyodide.FS.unlink(STANDARD_LIBRARY_PATH);
  pyodide.FS.symlink(`${LATE_FOLDER}/${STANDARD_LIBRARY}`, STANDARD_LIBRARY_PATH);
  return view;
}

function lateArchive(host: WorkerHost, address: string, integrity: string): DeferredFile {
  const archive: DeferredFile = {
    kind: "deferred-file",
    seen: null,
    async inspect() {
      const bytes = await readIntact(host.readAsset, { name: address, address, integrity });
      const content = { kind: "bytes", bytes } as const;
      archive.seen = { kind: "file", sizeBytes: bytes.byteLength, modifiedMs: 0, content };
      return archive.seen;
    },
  };
  return archive;
}
