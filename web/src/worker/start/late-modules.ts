/**
 * Modules that are not in an image: importing one fetches the archive that has it.
 *
 * An import cannot wait. It fails like a file that has not arrived yet, and its call runs again
 * after the archive has arrived; see `CallView`.
 */
import type { PyodideAPI } from "pyodide";
import { readIntact } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ImageOrigin, StartFolders } from "../../protocol/start.ts";
import type {
  DeferredDirectory,
  DeferredFile,
  DirectoryEntry,
  FileEntry,
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
  /** True if an import failed because its archive has not arrived. */
  readonly isMissing: boolean;
  /**
   * Waits for these archives; rejects with the signal's reason once that aborts.
   *
   * Rejects with `WorkerFailed`, which names the archive, if one is missing or damaged.
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Makes the next import try the archives again that could not be fetched. */
  forget(): void;
  /** Fetches what a first search imports, unless it is there. Never rejects. */
  fetch(): Promise<void>;
}

/** The beginning of the name of our own wheel, which has the modules that search. */
const OWN_WHEEL = "treeglass-";

/** Puts the archives where the image's interpreter looks for them. */
export function mountLateModules(
  host: WorkerHost,
  pyodide: PyodideAPI,
  fs: EmscriptenFs,
  { assets, pyodide: engine, packages }: StartFolders,
  integrities: ImageOrigin["archives"],
): LateModules {
  const archives = new Map<string, LateArchive>();
  for (const [name, integrity] of Object.entries(integrities)) {
    const address = `${name === STANDARD_LIBRARY ? engine : packages}${name}`;
    const file = { name: address.slice(assets.length), address, integrity };
    archives.set(name, new LateArchive(() => readIntact(host.readAsset, file)));
  }
  const find = async (name: string): Promise<TreeEntry | null> => archives.get(name) ?? null;
  const list = async () => new Map<string, TreeEntry>();
  const view = mountArchives(pyodide, fs, { kind: "deferred-directory", find, list });
  let fetching: Promise<void> | null = null;
  return {
    get isMissing() {
      return view.isMissing;
    },
    async wait(signal) {
      await view.wait(signal);
      for (const { fault } of archives.values()) {
        if (fault !== null) {
          // Python would take it for a module that does not exist, and a tool for its own fault.
          const sentence = host.wordMissingAssets(assets, fault.message);
          throw new TreeglassError("WorkerFailed", sentence, { cause: fault });
        }
      }
    },
    forget() {
      view.forget();
      for (const archive of archives.values()) {
        archive.fault = null;
      }
    },
    fetch() {
      const own = [...archives].filter(([name]) => name.startsWith(OWN_WHEEL));
      // The call that needs it says what is wrong with it.
      fetching ??= Promise.allSettled(own.map(([, archive]) => archive.read())).then(
        () => undefined,
      );
      return fetching;
    },
  };
}

/** The same for archives by their names, from any source. */
export function mountArchives(
  pyodide: PyodideAPI,
  fs: EmscriptenFs,
  archives: DirectoryEntry | DeferredDirectory,
): CallView {
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

/** An archive that is fetched when an import looks at it, or before. */
class LateArchive implements DeferredFile {
  readonly kind = "deferred-file";
  seen: FileEntry | null = null;
  /** Why an import of the running request could not have it; null if none could not. */
  fault: Error | null = null;
  readonly #fetch: () => Promise<Uint8Array>;
  #reading: Promise<FileEntry> | null = null;

  constructor(fetch: () => Promise<Uint8Array>) {
    this.#fetch = fetch;
  }

  /** Rejects with `AssetFault`; the next call then fetches it again. */
  read(): Promise<FileEntry> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async inspect(): Promise<FileEntry> {
    try {
      return await this.read();
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  async #readNow(): Promise<FileEntry> {
    const bytes = await this.#fetch();
    const content = { kind: "bytes", bytes } as const;
    this.seen ??= { kind: "file", sizeBytes: bytes.byteLength, modifiedMs: 0, content };
    return this.seen;
  }
}
