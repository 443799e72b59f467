/**
 * The files that a start leaves out: modules that no image has, and the late parts of split code.
 *
 * An import cannot wait. It finds an empty archive and fails, and its call runs again after the
 * bytes have arrived, as a call does that reads a file which arrives later; see `CallView`.
 *
 * A late part is fetched after the first answer. A call that needs it earlier gets it at once: the
 * call is in the middle of a function, and can neither wait nor run again.
 */
import type { PyodideAPI } from "pyodide";
import { toBase64 } from "../../lib/base64.ts";
import { isRecord } from "../../lib/checks.ts";
import { orAborted, withResolvers } from "../../lib/promises.ts";
import { reasonOf } from "../../lib/report-error.ts";
import { sha256 } from "../../lib/sha256.ts";
import { AssetFault, readIntact } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ImageOrigin, StartFolders } from "../../protocol/start.ts";
import { LateCodeMissing } from "../bridge.ts";
import type { WorkerHost } from "../worker-host.ts";
import { type Link, linkingLate } from "./patches/code.ts";
import { missingAssets, readListed, STANDARD_LIBRARY } from "./pyodide-modules.ts";

/** The folder of the wheels in an interpreter, where the maker of the image has put them too. */
export const LATE_FOLDER = "/treeglass/late";
/** The path at which an interpreter looks for the standard library. */
const STANDARD_LIBRARY_PATH = "/lib/python314.zip";

/** The archives that an interpreter's imports may have to wait for. */
export interface LateModules {
  /** The archives that the present call has read before their bytes were here; clear it after. */
  readonly missed: Set<ReadArchive>;
  /**
   * Waits for these archives, and clears them; rejects with the signal's reason once that aborts.
   *
   * Rejects with `WorkerFailed`, which names the archive, if one is missing or damaged.
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Fetches what a first search imports, unless it is there. Never rejects. */
  fetch(): Promise<void>;
}

/** Fetches an archive, unless it is here; rejects with `AssetFault`, and the next call fetches it again. */
type ReadArchive = () => Promise<void>;

/** The beginning of the name of our own wheel, which has the modules that search. */
const OWN_WHEEL = "treeglass-";

/** Makes imports of the image's interpreter wait for the archives that they need. */
export function placeLateModules(
  host: WorkerHost,
  pyodide: PyodideAPI,
  folders: StartFolders,
  integrities: ImageOrigin["archives"],
): LateModules {
  const missed = new Set<ReadArchive>();
  const archives = Object.entries(integrities).map(([name, integrity]) => {
    const read = readingArchive(host, pyodide, folders, name, integrity, () => missed.add(read));
    return { name, read };
  });
  return {
    missed,
    async wait(signal) {
      const reads = [...missed].map((read) => read());
      missed.clear();
      for (const outcome of await orAborted(Promise.allSettled(reads), signal)) {
        if (outcome.status === "rejected") {
          // Python would take it for a module that does not exist, and a tool for its own fault.
          const { reason } = outcome;
          const sentence = host.wordMissingAssets(folders.assets, reasonOf(reason));
          throw new TreeglassError("WorkerFailed", sentence, { cause: reason });
        }
      }
    },
    async fetch() {
      const own = archives.filter(({ name }) => name.startsWith(OWN_WHEEL));
      // The call that needs it says what is wrong with it.
      await Promise.allSettled(own.map(({ read }) => read()));
    },
  };
}

/** Places an empty archive, and returns what reads it; calls `miss` for each read until it is here. */
function readingArchive(
  host: WorkerHost,
  pyodide: PyodideAPI,
  { assets, pyodide: engine, packages }: StartFolders,
  name: string,
  integrity: string,
  miss: () => void,
): ReadArchive {
  const address = `${name === STANDARD_LIBRARY ? engine : packages}${name}`;
  placeArchive(pyodide, name, new Uint8Array());
  const endWatch = watchReads(pyodide, pathOf(name), miss);
  const place = async () => {
    const file = { name: address.slice(assets.length), address, integrity };
    const bytes = await readIntact(host.readAsset, file);
    endWatch();
    placeArchive(pyodide, name, bytes);
  };
  let reading: Promise<void> | null = null;
  return () => {
    reading ??= place().catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
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

export class LateCode {
  readonly #host: WorkerHost;
  readonly #folders: StartFolders;
  /** Compiled in the background, by their addresses. */
  readonly #compiled = new Map<string, WebAssembly.Module>();
  readonly #addresses = new Set<string>();
  #fetching: Promise<void> | null = null;
  readonly #missing = withResolvers<never>();
  /** Rejects when a late part is missing: Emscripten ignores what is thrown while it starts. */
  readonly missing = this.#missing.promise;

  constructor(host: WorkerHost, folders: StartFolders) {
    this.#host = host;
    this.#folders = folders;
    // After the start, the call that needs the part throws too.
    this.missing.catch(() => undefined);
  }

  readonly link: Link = linkingLate(
    (name) => {
      const address = this.#addressOf(name);
      this.#addresses.add(address);
      return () => this.#compileNow(address);
    },
    { atOnce: false },
  );

  /**
   * Fetches and compiles all late parts, the first time that it is called.
   *
   * Never rejects: what cannot be fetched waits for the call that needs it.
   */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetchAll();
    return this.#fetching;
  }

  async #fetchAll(): Promise<void> {
    for (const address of this.#addresses) {
      try {
        const isThere = this.#compiled.has(address);
        const bytes = isThere ? null : await readListed(this.#host, this.#folders, address);
        if (bytes !== null) {
          this.#compiled.set(address, await WebAssembly.compile(bytes));
        }
      } catch {
        return;
      }
    }
  }

  #addressOf(name: string): string {
    const { files, assets } = this.#folders;
    const address = Object.keys(files).find((listed) => listed.endsWith(`/${name}`));
    if (address === undefined) {
      throw missingAssets(this.#host, assets, `start.json does not name ${name}`);
    }
    return address;
  }

  #compileNow(address: string): WebAssembly.Module {
    const before = this.#compiled.get(address);
    if (before !== undefined) {
      return before;
    }
    try {
      const compiled = new WebAssembly.Module(this.#readNow(address));
      this.#compiled.set(address, compiled);
      return compiled;
    } catch (cause) {
      const { assets } = this.#folders;
      const what = cause instanceof AssetFault ? cause.message : `${address} could not be compiled`;
      const sentence = this.#host.wordMissingAssets(assets, what);
      const fault = new LateCodeMissing(what, sentence, cause);
      this.#missing.reject(fault);
      throw fault;
    }
  }

  /** Throws `AssetFault` for a file that is missing or damaged. */
  #readNow(address: string): Uint8Array<ArrayBuffer> {
    const { assets, files } = this.#folders;
    const name = address.slice(assets.length);
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    try {
      bytes = this.#host.readAssetNow?.(address);
    } catch (cause) {
      throw new AssetFault(`${name} could not be fetched`, { cause });
    }
    if (bytes === undefined) {
      throw new AssetFault(`${name} has not arrived`);
    }
    if (`sha256-${toBase64(sha256(bytes))}` !== files[address]) {
      throw new AssetFault(`${name} is not the file that start.json names`);
    }
    return bytes;
  }
}
