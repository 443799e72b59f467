/** Finds the installed package, also for a program whose bundle has moved this module. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isForbidden } from "./worker/host-faults.ts";

/** The script of the thread: each published package has it. */
const SCRIPT = "edge-worker.js";

/** Returns the path of the package's own assets. */
export function ownAssets(): string {
  return join(packageFolder(), "assets");
}

/** Returns the path of the thread's script; `assets` is the folder that the client uses. */
export function threadScript(assets: string): string {
  return join(packageFolder(dirname(assets)), SCRIPT);
}

/**
 * Returns the folder that has the thread's script.
 *
 * It is the first of: the folder of this module, `alternative`, and `node_modules/treeglass` in a
 * folder above this module or above the working directory. If all lack the script, returns the
 * folder of this module.
 */
function packageFolder(alternative?: string): string {
  const own = folderOfThisModule();
  if (hasScript(own) !== false) {
    return own;
  }
  if (alternative !== undefined && hasScript(alternative)) {
    return alternative;
  }
  return installedAbove(own) ?? installedAbove(workingDirectory()) ?? own;
}

/** Returns the working directory for a bundle that leaves its modules no address, as CommonJS. */
function folderOfThisModule(): string {
  const address: string | undefined = import.meta.url;
  // Not `new URL("./", address)`: bundlers take that for a file that they have to resolve.
  return address?.startsWith("file:") ? dirname(fileURLToPath(address)) : workingDirectory();
}

/** Returns "/" where Deno may not tell it. */
function workingDirectory(): string {
  try {
    return resolve();
  } catch {
    return "/";
  }
}

function installedAbove(start: string): string | undefined {
  const above = dirname(start);
  const installed = join(start, "node_modules", "treeglass");
  if (hasScript(installed)) {
    return installed;
  }
  return above === start ? undefined : installedAbove(above);
}

/** Tells whether a folder has the thread's script; undefined if this program may not look. */
function hasScript(folder: string): boolean | undefined {
  try {
    return statSync(join(folder, SCRIPT)).isFile();
  } catch (error) {
    return isForbidden(error) ? undefined : false;
  }
}
