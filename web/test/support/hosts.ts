/** Hosts that can do nothing, except what a test gives them. */
import { MAX_BUFFERED_BYTES } from "../../src/lib/growing-buffer.ts";
import type { ClientHost } from "../../src/session/session.ts";
import type { StartFetch } from "../../src/session/start-files.ts";
import type { Zlib } from "../../src/sources/source-context.ts";
import type { WorkerHost } from "../../src/worker/worker-host.ts";

export const ASSETS = "https://example.test/";
export const FOLDERS = {
  assets: ASSETS,
  pyodide: ASSETS,
  packages: ASSETS,
  files: {},
  fault: null,
};

const unexpected = (): never => {
  throw new Error("no zlib was expected");
};

/** For an interpreter that reads no archive. */
export const NO_ZLIB: Zlib = { inflate: unexpected, crc32: unexpected, openGzip: unexpected };

/** Returns a client's host whose starts find no image. */
export function clientHostWith(
  parts: Pick<ClientHost, "makeWorker"> & Partial<ClientHost>,
): ClientHost {
  return {
    sharesMemory: false,
    resolveAssets: () => ASSETS,
    fetchStartFiles: withoutImage,
    ...parts,
  };
}

/** Returns the start files of a folder without an image. */
export function withoutImage(): StartFetch {
  const plan = { folders: FOLDERS, image: null, reason: "no image" };
  const files = { hasImage: false, phases: [] };
  return {
    plan: Promise.resolve(plan),
    files: Promise.resolve(files),
    worker: Promise.resolve(),
    forget: () => undefined,
  };
}

/** Returns a worker's host without assets, folders and Blobs. */
export function workerHostWith(parts: Partial<WorkerHost> = {}): WorkerHost {
  return {
    maxBufferedBytes: MAX_BUFFERED_BYTES,
    readBlob: () => {
      throw new Error("no blob was expected");
    },
    importModule: async () => {
      throw new Error("no module was expected");
    },
    wordMissingAssets: (assets, what) => `no assets in ${assets}: ${what}`,
    ...parts,
  };
}
