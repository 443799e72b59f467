/** Finds the installed package, also for a program whose bundle has moved this module. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isForbidden } from "./worker/host-faults.ts";

/** The files of a package that a thread needs, by their absolute paths. */
interface PackagePlace {
  readonly assets: string;
  /** The script of the thread: each published package has it. */
  readonly script: string;
}

export function ownAssets(): string {
  return packagePlace().assets;
}

/** Returns the path of the thread's script; `assets` is the folder that the client uses. */
export function threadScript(assets: string): string {
  return packagePlace(dirname(assets)).script;
}

/**
 * Returns the place of the package.
 *
 * It is the first of: the folder of this module, `alternative`, and `node_modules/treeglass` in a
 * folder above this module or above the working directory. If all lack the thread's script, returns
 * the folder of this module.
 */
function packagePlace(alternative?: string): PackagePlace {
  const own = besideThisModule();
  if (hasScript(own) !== false) {
    return own;
  }
  const given = alternative === undefined ? null : placeIn(alternative);
  if (given !== null && hasScript(given)) {
    return given;
  }
  return installedAbove(dirname(own.script)) ?? installedAbove(workingDirectory()) ?? own;
}

/** Returns a place in the working directory for a bundle that leaves its modules no address. */
function besideThisModule(): PackagePlace {
  try {
    // Not by `new URL`: bundlers try to resolve that. Spelled out for each: tools that copy the
    // files of a server read such an expression, and copy what it names.
    return {
      assets: join(dirname(fileURLToPath(import.meta.url)), "assets"),
      script: join(dirname(fileURLToPath(import.meta.url)), "edge-worker.js"),
    };
  } catch {
    return placeIn(workingDirectory());
  }
}

function placeIn(folder: string): PackagePlace {
  return { assets: join(folder, "assets"), script: join(folder, "edge-worker.js") };
}

/** Returns "/" where Deno may not tell it. */
function workingDirectory(): string {
  try {
    return resolve();
  } catch {
    return "/";
  }
}

function installedAbove(folder: string): PackagePlace | undefined {
  const above = dirname(folder);
  const place = placeIn(join(folder, "node_modules", "treeglass"));
  if (hasScript(place)) {
    return place;
  }
  return above === folder ? undefined : installedAbove(above);
}

/** Tells whether the thread's script is there; undefined if this program may not look. */
function hasScript({ script }: PackagePlace): boolean | undefined {
  try {
    return statSync(script).isFile();
  } catch (error) {
    return isForbidden(error) ? undefined : false;
  }
}
