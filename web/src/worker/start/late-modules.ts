/**
 * Modules that are not in an image: importing one fetches the archive that has it.
 *
 * An import cannot wait. It finds an empty archive and fails, and its call runs again after the
 * bytes have arrived, as a call does that reads a file which arrives later; see `CallView`.
 */

import type { PyodideAPI } from "pyodide";
import { isRecord } from "../../lib/checks.ts";
import { orAborted } from "../../lib/promises.ts";
import { reasonOf } from "../../lib/report-error.ts";
import { readIntact } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ImageOrigin, StartFolders } from "../../protocol/start.ts";
import type { WorkerHost } from "../worker-host.ts";
import { STANDARD_LIBRARY } from "./pyodide-modules.ts";

/** The folder of the wheels in an interpreter, where the maker of the image has put them too. */
export const LATE_FOLDER = "/treeglass/late";
/** The path at which an interpreter looks for the standard library. */
const STANDARD_LIBRARY_PATH = "/lib/python314.zip";

/** The archives that an interpreter's imports may have to wait for. */
export interface LateModules {
  /** The archives that the present call has read before their bytes were here; clear it after. */
  readonly missed: Set<LateArchive>;
  /**
   * Waits for these archives, and clears them; rejects with the signal's reason once that aborts.
   *
   * Rejects with `WorkerFailed`, which names the archive, if one is missing or damaged.
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Fetches what a first search imports, unless it is there. Never rejects. */
  fetch(): Promise<void>;
}

/** The beginning of the name of our own wheel, which has the modules that search. */
const OWN_WHEEL = "treeglass-";

/** Makes imports of the image's interpreter wait for the archives that they need. */
export function placeLateModules(
  host: WorkerHost,
  pyodide: PyodideAPI,
  { assets, pyodide: engine, packages }: StartFolders,
  integrities: ImageOrigin["archives"],
): LateModules {
  const missed = new Set<LateArchive>();
  const archives = Object.entries(integrities).map(([name, integrity]) => {
    const address = `${name === STANDARD_LIBRARY ? engine : packages}${name}`;
    const file = { name: address.slice(assets.length), address, integrity };
    return new LateArchive(pyodide, name, () => readIntact(host.readAsset, file), missed);
  });
  return {
    missed,
    async wait(signal) {
      const reads = [...missed].map((archive) => archive.read());
      missed.clear();
      for (const outcome of await orAborted(Promise.allSettled(reads), signal)) {
        if (outcome.status === "rejected") {
          // Python would take it for a module that does not exist, and a tool for its own fault.
          const { reason } = outcome;
          const sentence = host.wordMissingAssets(assets, reasonOf(reason));
          throw new TreeglassError("WorkerFailed", sentence, { cause: reason });
        }
      }
    },
    async fetch() {
      const own = archives.filter(({ name }) => name.startsWith(OWN_WHEEL));
      // The call that needs it says what is wrong with it.
      await Promise.allSettled(own.map((archive) => archive.read()));
    },
  };
}

/** Puts an archive where the image's interpreter looks for it; the bytes are not copied. */
export function placeArchive({ FS }: PyodideAPI, name: string, bytes: Uint8Array): void {
  FS.mkdirTree(LATE_FOLDER);
  FS.writeFile(pathOf(name), bytes, { canOwn: true });
}

function pathOf(name: string): string {
  return name === STANDARD_LIBRARY ? STANDARD_LIBRARY_PATH : `${LATE_FOLDER}/${name}`;
}

/** An archive that is fetched after an import has looked at it, or before. */
class LateArchive {
  readonly name: string;
  readonly #pyodide: PyodideAPI;
  readonly #fetch: () => Promise<Uint8Array>;
  readonly #endWatch: () => void;
  #reading: Promise<void> | null = null;

  /** Adds itself to `missed` when it is read before its bytes are here. */
  constructor(
    pyodide: PyodideAPI,
    name: string,
    fetch: () => Promise<Uint8Array>,
    missed: Set<LateArchive>,
  ) {
    this.name = name;
    this.#pyodide = pyodide;
    this.#fetch = fetch;
    placeArchive(pyodide, name, new Uint8Array());
    this.#endWatch = watchReads(pyodide, pathOf(name), () => {
      missed.add(this);
    });
  }

  /** Fetches it, unless it is here; rejects with `AssetFault`, and the next call fetches it again. */
  read(): Promise<void> {
    this.#reading ??= this.#place().catch((error: unknown) => {
      this.#reading = null;
      throw error;
    });
    return this.#reading;
  }

  async #place(): Promise<void> {
    const bytes = await this.#fetch();
    this.#endWatch();
    placeArchive(this.#pyodide, this.name, bytes);
  }
}

// A file that says when it is read.
//
// Emscripten calls the functions of a file's node, and all files have the same ones. The patch gives
// one file its own function that reads. Without it no late module is fetched, and its import fails.

/** Calls `tell` for each read of a file, until the returned function is called. */
function watchReads({ FS }: PyodideAPI, path: string, tell: () => void): () => void {
  const node: unknown = FS.lookupPath(path, {}).node;
  if (!hasStreamOps(node)) {
    throw new Error(`the file ${path} has no functions that read it`);
  }
  const { stream_ops: ops } = node;
  const { read } = ops;
  const watched: StreamOps["read"] = (...asked) => {
    tell();
    return read(...asked);
  };
  node.stream_ops = { ...ops, read: watched };
  return () => {
    node.stream_ops = ops;
  };
}

interface StreamOps {
  readonly read: (...asked: unknown[]) => number;
}

function hasStreamOps(node: unknown): node is { stream_ops: StreamOps } {
  return isRecord(node) && isRecord(node.stream_ops) && typeof node.stream_ops.read === "function";
}
