/** The host of an interpreter in a page's worker. */
import { MAX_BUFFERED_BYTES } from "../../../lib/growing-buffer.ts";
import {
  explainByPolicy,
  requireCompiling,
  watchPolicy,
} from "../../../protocol/content-security-policy.ts";
import type { WorkerHost } from "../../../worker/worker-host.ts";

const blobs = new FileReaderSync();

export const pageWorkerHost: WorkerHost = {
  // The browser may keep a Blob on its disk, and this worker reads any part of it synchronously.
  maxBufferedBytes: MAX_BUFFERED_BYTES,
  readBlob: (blob, start, end) => new Uint8Array(blobs.readAsArrayBuffer(blob.slice(start, end))),
  readWholeBlob: async (blob) => new Uint8Array(await blob.arrayBuffer()),
  readAssetNow,
  importModule: (address) => import(`${address}`),
  watch: watchPolicy,
  requireAbility: requireCompiling,
  explainFailure: (failure, assets) => explainByPolicy("The worker's policy", failure, assets),
  wordMissingAssets: (assets, what) =>
    `The runtime could not be loaded from ${assets}: ${what}. Serve the package's assets folder there, or pass its address as connect({ assets }).`,
};

function readAssetNow(address: string): Uint8Array<ArrayBuffer> {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) {
    throw new Error(`${address} answered ${request.status}`);
  }
  return new Uint8Array(request.response);
}
