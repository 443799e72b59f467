/** Reaches a path of this machine only where its names say; the system itself follows links. */
import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { leadsOut } from "../../../sources/names.ts";
import { DeferredError } from "../../../sources/tree.ts";
import { deferredError } from "./host-faults.ts";

/**
 * Opens a directory only to pass through it, which needs no right to list it. Node names no such
 * constant; Linux has this number on every processor that Node runs on.
 */
const O_PATH = 0x20_00_00;
const PASSING = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Tells whether a directory can be held open, to reach its entries from there: on Linux, if the
 * program may use `/proc`.
 */
export function canHold(directory: string): boolean {
  // Deno lets only a program with all permissions use `/proc`, and asks its user otherwise.
  if (process.platform !== "linux" || "Deno" in globalThis) {
    return false;
  }
  try {
    const there = lstatSync(directory, { bigint: true });
    const held = whileHeld(directory, (reached) => lstatSync(`${reached}/.`, { bigint: true }));
    return held.ino === there.ino && held.dev === there.dev;
  } catch {
    return false;
  }
}

/**
 * Returns what `ask` learns about a real directory, or about its entries, from the path that it is
 * given. Throws a `DeferredError` if it fails, or if a link has replaced a directory on the way.
 *
 * A held directory stays the same one while `ask` runs. Otherwise its place is checked before the
 * answer is used, so that only a swap back and forth meanwhile gets through.
 */
export function askInPlace<T>(directory: string, isHeld: boolean, ask: (reached: string) => T): T {
  try {
    return isHeld ? whileHeld(directory, ask) : thenChecked(directory, ask);
  } catch (error) {
    throw deferredError(error);
  }
}

function thenChecked<T>(directory: string, ask: (reached: string) => T): T {
  try {
    return ask(directory);
  } finally {
    requireInPlace(directory);
  }
}

function whileHeld<T>(directory: string, ask: (reached: string) => T): T {
  const descriptor = openSync(directory, PASSING);
  try {
    const reached = `/proc/self/fd/${descriptor}`;
    // The system may have followed a link above the last name; it knows where it arrived.
    if (readlinkSync(reached) !== directory) {
      throw new DeferredError("missing", "it is no longer there");
    }
    return ask(reached);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Throws a `DeferredError` if a path is no longer a real path, or spells a name differently.
 *
 * A link may meanwhile have replaced any folder on the way, and the system follows it. A disk that
 * ignores case or the encoding of accents finds an entry by other names than its own, and the
 * patterns of skipped entries would not match those.
 *
 * Call it after the system has answered about the path, and before using the answer: an entry from
 * another place then never leaves this module.
 */
export function requireInPlace(path: string): void {
  let real: string;
  try {
    // `realpathSync` itself looks at each name on the way, and keeps its spelling.
    real = realpathSync.native(path);
  } catch (cause) {
    throw deferredError(cause);
  }
  if (real !== path) {
    throw new DeferredError("missing", "it is no longer there");
  }
}

/**
 * Returns a link's target for the interpreter, which has the folder at another path.
 *
 * A target that leads out of the folder and back in, as every absolute one does, becomes relative.
 * A target that stays outside is returned unchanged, and leads nowhere.
 */
export function reachableTarget(
  target: string,
  parents: readonly string[],
  roots: readonly string[],
): string {
  const spelled = sep === "/" ? target : target.replaceAll(sep, "/");
  if (!isAbsolute(target) && !leadsOut(spelled, parents.length)) {
    return spelled;
  }
  for (const root of roots) {
    const below = relative(root, resolve(root, ...parents, target));
    const isInside = below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
    if (isInside) {
      const slash = /[/\\]$/.test(target) ? "/" : "";
      return `${"../".repeat(parents.length)}${below.replaceAll(sep, "/")}${slash}` || ".";
    }
  }
  return spelled;
}
