/** The host of an interpreter in a thread of a program. */
import { pathToFileURL } from "node:url";
import type { WorkerHost } from "../../../worker/worker-host.ts";
import { openHostDirectory } from "./host-directory.ts";
import { readPackageFile, readPackageFileNow } from "./package-files.ts";

export const threadWorkerHost: WorkerHost = {
  // A thread cannot read a Blob synchronously, so it keeps all bytes in memory.
  maxBufferedBytes: Number.POSITIVE_INFINITY,
  readBlob: (blob, start, end) => InMemoryBlob.bytesOf(blob).subarray(start, end),
  openDirectory: openHostDirectory,
  readAsset: readPackageFile,
  readAssetNow: readPackageFileNow,
  importModule: (path) => import(pathToFileURL(path).href),
  wordMissingAssets: (assets, what) =>
    `The runtime could not be loaded from ${assets}: ${what}. Install the package again, or pass the path of its assets folder as connect({ assets }).`,
};

/** A Blob whose bytes can be read synchronously. */
export class InMemoryBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(content: ArrayBuffer) {
    // The Blob itself stays empty: it would keep a second copy of the bytes.
    super([]);
    this.#bytes = new Uint8Array(content);
  }

  static bytesOf(blob: Blob): Uint8Array<ArrayBuffer> {
    if (blob instanceof InMemoryBlob) {
      return blob.#bytes;
    }
    throw new TypeError("The bytes of this Blob are not in memory.");
  }

  override get size(): number {
    return this.#bytes.byteLength;
  }

  override slice(start = 0, end = this.size): Blob {
    return new Blob([this.#bytes.subarray(start, end)]);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }
}
