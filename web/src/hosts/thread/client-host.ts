/** The host of clients in a program that Node, Deno or Bun runs. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ClientHost } from "../../session/session.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import { ownAssets, threadScript } from "./package-place.ts";
import { startThread } from "./thread.ts";
import { deferredError, isAbsent } from "./worker/host-faults.ts";
import { readPackageFile } from "./worker/package-files.ts";

/** The longest interval that timers take. */
const KEEP_ALIVE_MS = 2 ** 31 - 1;

export const threadHost: ClientHost = {
  sharesMemory: true,
  resolveAssets: (assets = ownAssets()) => `${toPath("assets", assets)}/`,
  fetchStartFiles: (assets) => fetchStartFiles(assets, readPackageFile),
  makeWorker: (assets) => startThread(pathToFileURL(threadScript(assets))),
  // Threads and ports let the program end, so that a program need not close its clients.
  stayAlive() {
    const timer = setInterval(() => undefined, KEEP_ALIVE_MS);
    return () => clearInterval(timer);
  },
  toHostPath,
};

/** Returns a folder's absolute path; throws `BadRequest`, or `SourceUnreadable` if it is missing. */
function toHostPath(directory: string | URL): string {
  const path = toPath("directory of the source", directory);
  // Checked here, where the message may name the path: an agent may see what the thread says.
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
    return statSync(path).isDirectory() ? null : "it is not a folder";
  } catch (error) {
    return isAbsent(error) ? "there is no such folder" : deferredError(error).message;
  }
}

/** Returns an absolute path without a slash at its end; throws `BadRequest` for a malformed one. */
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
