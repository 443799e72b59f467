/** What a program gives its clients: threads, and the package's files on its disk. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Surroundings } from "../../client/connect-in.ts";
import { holdAssets } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import type { PageSurroundings } from "../../session/worker-owner.ts";
import { startThread } from "./thread.ts";
import { deferredError, isAbsent } from "./worker/host-faults.ts";
import { readPackageFile, wordUnreadable } from "./worker/package-files.ts";

/** Longer than any program runs: it is there to be cleared. */
const KEEP_ALIVE_MS = 2 ** 31 - 1;

export const programSurroundings: Surroundings = {
  assetsAddress: (assets = new URL("./assets/", import.meta.url)) => `${toPath("assets", assets)}/`,
  ofAssets,
};

function ofAssets(assets: string): PageSurroundings {
  holdAssets(readPackageFile, wordUnreadable);
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  return {
    makeWorker: () => startThread(new URL("./edge-worker.js", import.meta.url)),
    fetchStartFiles: () => fetchStartFiles(assets),
    sharesMemory: true,
    // Threads and ports let the program end, so that a client may stay open for as long as it runs.
    onBusy(isBusy) {
      clearInterval(keepAlive);
      keepAlive = isBusy ? setInterval(() => undefined, KEEP_ALIVE_MS) : undefined;
    },
    toHostPath,
  };
}

/** Returns a folder's absolute path; throws `BadRequest`, or `SourceUnreadable` where none is there. */
function toHostPath(directory: string | URL): string {
  const path = toPath("directory of the source", directory);
  // Looked at here, where its path may be named: what a thread says an agent may be told.
  const reason = whyNoFolder(path);
  if (reason !== null) {
    throw new TreeglassError(
      "SourceUnreadable",
      `'${String(directory)}' cannot be mounted: ${reason}. Pass the path of a folder that this program may read.`,
    );
  }
  return path;
}

function whyNoFolder(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : "it is no folder";
  } catch (error) {
    return isAbsent(error) ? "there is no such folder" : deferredError(error).message;
  }
}

/** Returns an absolute path without a slash at its end; throws `BadRequest` for what is none. */
function toPath(name: string, address: string | URL): string {
  try {
    const isAddress = typeof address !== "string" || /^file:/i.test(address);
    const path = resolve(isAddress ? fileURLToPath(address) : address);
    if (path.includes("\0")) {
      throw new TypeError("it has a NUL character");
    }
    return path;
  } catch (cause) {
    throw new TreeglassError(
      "BadRequest",
      `The ${name} is neither a path nor a file: address: ${String(address)}`,
      { cause },
    );
  }
}
