/** A folder of this machine as a tree, listed and read on demand. */
import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { TreeglassError } from "../../../protocol/errors.ts";
import type { MountLimits } from "../../../protocol/mount-report.ts";
import { type IsShown, shownWithin } from "../../../sources/names.ts";
import type { HostDirectoryOpener } from "../../../sources/source-context.ts";
import {
  clampModifiedMs,
  type DeferredDirectory,
  DeferredError,
  type DeferredFile,
  type FileEntry,
  type Listing,
  type SymlinkEntry,
  type TreeEntry,
  unlistedTree,
} from "../../../sources/tree.ts";
import { deferredError, isAbsent } from "./host-faults.ts";
import { readHostRange } from "./host-file.ts";
import { askInPlace, canHold, reachableTarget, requireInPlace } from "./host-place.ts";

type Attributes = Required<Pick<FileEntry, "sizeBytes" | "modifiedMs" | "modifiedNs">>;

/** One reading of a folder; this module calls no function that writes. */
interface Reading {
  /** The folder's real path, and the path that the program gave. */
  readonly roots: readonly [real: string, called: string];
  /** True if each directory is held open while its entries are looked at. */
  readonly isHeld: boolean;
  readonly limits: MountLimits;
  readonly isShown: IsShown;
}

/** An entry of a listing, or its status. */
interface HostEntry {
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

const NS_PER_MS = 1_000_000n;

/** Stands for bytes that are not UTF-8, but a name may also contain it. */
const REPLACEMENT = "\uFFFD";

/** Returns a folder's tree without listing it; the counts of its report are unknown. */
export const openHostDirectory: HostDirectoryOpener = (path, limits, skip) => {
  const real = realFolder(path);
  const reading: Reading = {
    roots: [real, path],
    isHeld: canHold(real),
    limits,
    isShown: shownWithin(limits, skip),
  };
  return unlistedTree(directoryOf([], reading));
};

function realFolder(path: string): string {
  try {
    const real = realpathSync.native(path);
    if (lstatSync(real).isDirectory()) {
      return real;
    }
  } catch (cause) {
    throw noFolder(deferredError(cause).message, cause);
  }
  throw noFolder("it is not a folder");
}

/** Without the path: an agent may see this message after a worker was replaced. */
function noFolder(reason: string, cause?: unknown): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The folder of the source cannot be opened: ${reason}. Pass the path of a folder that this program may read.`,
    { cause },
  );
}

function directoryOf(names: readonly string[], reading: Reading): DeferredDirectory {
  return {
    kind: "deferred-directory",
    isLive: true,
    inspect: () =>
      askInPlace(pathOf(names, reading), reading.isHeld, (reached) =>
        attributesOf(inspect(`${reached}/.`)),
      ),
    find: (name) => findEntry([...names, name], reading),
    list: () =>
      askInPlace(pathOf(names, reading), reading.isHeld, (reached) =>
        listReached(reached, names, reading),
      ),
  };
}

function findEntry(names: readonly string[], reading: Reading): TreeEntry | null {
  const name = names.at(-1) ?? "";
  if (!isName(name) || !reading.isShown(names)) {
    return null;
  }
  try {
    return askInPlace(pathOf(names.slice(0, -1), reading), reading.isHeld, (reached) => {
      const path = join(reached, name);
      const entry = entryOf(inspect(path), path, names, reading);
      if (entry.kind === "symlink") {
        return readdirSync(reached).includes(name) ? entry : null;
      }
      requireSpelled(path, reading);
      return entry;
    });
  } catch (error) {
    if (isAbsent(error)) {
      return null;
    }
    throw error;
  }
}

function listReached(reached: string, names: readonly string[], reading: Reading): Listing {
  const { maxEntries } = reading.limits;
  const entries = new Map<string, TreeEntry>();
  const leftOut = new Map<string, string>();
  const listed = readdirSync(reached, { withFileTypes: true });
  if (listed.length > maxEntries) {
    throw new DeferredError(
      "unreadable",
      `the directory has more than ${maxEntries} entries (maxEntries)`,
    );
  }
  for (const entry of listed) {
    const path = [...names, entry.name];
    if (!reading.isShown(path)) {
      continue;
    }
    const place = join(reached, entry.name);
    const isSpelled = !entry.name.includes(REPLACEMENT);
    if (!isSpelled && lstatSync(place, { throwIfNoEntry: false }) === undefined) {
      leftOut.set(entry.name, "its name is not UTF-8");
      continue;
    }
    try {
      entries.set(entry.name, entryOf(entry, place, path, reading));
    } catch (error) {
      if (!isAbsent(error)) {
        leftOut.set(entry.name, deferredError(error).message);
      }
    }
  }
  return Object.assign(entries, { leftOut });
}

/** Returns an entry that the system reaches at `path` at this moment. */
function entryOf(
  entry: HostEntry,
  path: string,
  names: readonly string[],
  reading: Reading,
): TreeEntry {
  if (entry.isDirectory()) {
    return directoryOf(names, reading);
  }
  if (entry.isFile()) {
    return fileOf(names, reading);
  }
  return entry.isSymbolicLink() ? linkOf(path, names, reading) : specialOf(path);
}

function fileOf(names: readonly string[], reading: Reading): DeferredFile {
  return {
    kind: "deferred-file",
    isLive: true,
    seen: null,
    inspect: () => lookAt(names, reading),
  };
}

function lookAt(names: readonly string[], reading: Reading): FileEntry {
  const directory = pathOf(names.slice(0, -1), reading);
  const name = names.at(-1) ?? "";
  const status = askInPlace(directory, reading.isHeld, (reached) => {
    const path = join(reached, name);
    const found = inspect(path);
    if (!found.isFile()) {
      throw new DeferredError("unreadable", "it is no longer a file");
    }
    requireSpelled(path, reading);
    return found;
  });
  const { sizeBytes, modifiedMs, modifiedNs } = attributesOf(status);
  const { maxFileBytes } = reading.limits;
  const readRange = (start: number, end: number) => {
    if (sizeBytes > maxFileBytes) {
      throw new Error(`it is ${sizeBytes} bytes large, over maxFileBytes (${maxFileBytes})`);
    }
    return readHostRange(directory, name, reading.isHeld, start, end);
  };
  const content = { kind: "ranges", readRange } as const;
  const permissions = Number(status.mode) & 0o777;
  return { kind: "file", sizeBytes, modifiedMs, modifiedNs, permissions, content };
}

function linkOf(path: string, names: readonly string[], reading: Reading): SymlinkEntry {
  const target = reachableTarget(readlinkSync(path), names.slice(0, -1), reading.roots);
  return { kind: "symlink", target, modifiedMs: attributesOf(inspect(path)).modifiedMs };
}

function specialOf(path: string): TreeEntry {
  const { modifiedMs } = attributesOf(inspect(path));
  return { kind: "special", modifiedMs };
}

/** Directories are held on Linux alone, which does not say how a disk spells a name. */
function requireSpelled(path: string, { isHeld }: Reading): void {
  if (!isHeld) {
    requireInPlace(path);
  }
}

/** Returns whole numbers: a `number` would round a time up to the next millisecond. */
function inspect(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}

function attributesOf({ size, mtimeMs, mtimeNs }: BigIntStats): Attributes {
  const modifiedMs = clampModifiedMs(Number(mtimeMs));
  // A time that was changed to one that the wheel reads has no finer part.
  const isExact = modifiedMs >= 0 && BigInt(modifiedMs) === mtimeMs;
  const modifiedNs = isExact ? Number(mtimeNs % NS_PER_MS) : 0;
  return { sizeBytes: Number(size), modifiedMs, modifiedNs };
}

function pathOf(names: readonly string[], { roots: [real] }: Reading): string {
  // Without its separator, the top of a disk of Windows would be another folder.
  return names.length === 0
    ? real
    : [real.endsWith(sep) ? real.slice(0, -1) : real, ...names].join(sep);
}

/** Tells whether a name is one step of a path; the system may read some names as several. */
function isName(name: string): boolean {
  const isOneStep = sep === "/" || !/[\\:]/.test(name);
  return isOneStep && !/^\.{0,2}$|[/\0]/.test(name);
}
