/** The host of an interpreter in a thread of a program. */
import { pathToFileURL } from "node:url";
import type { WorkerHost } from "../../../worker/worker-host.ts";
import { openHostDirectory } from "./host-directory.ts";
import { InMemoryBlob } from "./in-memory-blob.ts";
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
