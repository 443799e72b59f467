/** A folder of this machine as a tree, listed and read on demand. */
import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { TreeglassError } from "../../../protocol/errors.ts";
import type { MountLimits } from "../../../protocol/mount-report.ts";
import { type IsShown, shownWithin, unlistedTree } from "../../../sources/local/unlisted-tree.ts";
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
} from "../../../sources/tree.ts";
import { deferredError, isAbsent } from "./host-faults.ts";
import { readHostRange } from "./host-file.ts";
import { requireInPlace } from "./host-place.ts";
import { reachableTarget } from "./link-target.ts";

/** How a folder is read; this module calls no function that writes. */
interface Reading {
  /** The folder's real path, and the path that the program gave. */
  readonly roots: readonly [real: string, called: string];
  readonly limits: MountLimits;
  readonly isShown: IsShown;
}

/** An entry of a listing, or its status. */
interface HostEntry {
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

/** Stands for bytes that are not UTF-8, but a name may also contain it. */
const REPLACEMENT = "\uFFFD";

/** Returns a folder's tree without listing it; the counts of its report are unknown. */
export const openHostDirectory: HostDirectoryOpener = (path, limits, skip) => {
  const reading: Reading = {
    roots: [realFolder(path), path],
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
    inspect() {
      const path = pathOf(names, reading);
      const attributes = attributesOf(inspect(path));
      requireInPlace(path);
      return attributes;
    },
    find: (name) => findEntry([...names, name], reading),
    list: () => listEntries(names, reading),
  };
}

function findEntry(names: readonly string[], reading: Reading): TreeEntry | null {
  if (!isName(names.at(-1) ?? "") || !reading.isShown(names)) {
    return null;
  }
  try {
    const path = pathOf(names, reading);
    const entry = entryOf(inspect(path), names, reading);
    if (entry.kind !== "symlink") {
      requireInPlace(path);
      return entry;
    }
    const parent = pathOf(names.slice(0, -1), reading);
    const isSpelledSo = readdirSync(parent).includes(names.at(-1) ?? "");
    requireInPlace(parent);
    return isSpelledSo ? entry : null;
  } catch (error) {
    if (isAbsent(error)) {
      return null;
    }
    throw deferredError(error);
  }
}

function listEntries(names: readonly string[], reading: Reading): Listing {
  const { maxEntries } = reading.limits;
  const entries = new Map<string, TreeEntry>();
  const leftOut = new Map<string, string>();
  const place = pathOf(names, reading);
  let listed: readonly (HostEntry & { readonly name: string })[];
  try {
    listed = readdirSync(place, { withFileTypes: true });
    requireInPlace(place);
  } catch (error) {
    throw deferredError(error);
  }
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
    if (entry.name.includes(REPLACEMENT) && !isThere(path, reading)) {
      leftOut.set(entry.name, "its name is not UTF-8");
      continue;
    }
    try {
      entries.set(entry.name, entryOf(entry, path, reading));
    } catch (error) {
      if (!isAbsent(error)) {
        leftOut.set(entry.name, deferredError(error).message);
      }
    }
  }
  // The loop has read links by their paths, so the folder is checked again.
  requireInPlace(place);
  return Object.assign(entries, { leftOut });
}

function isThere(names: readonly string[], reading: Reading): boolean {
  return lstatSync(pathOf(names, reading), { throwIfNoEntry: false }) !== undefined;
}

function entryOf(entry: HostEntry, names: readonly string[], reading: Reading): TreeEntry {
  if (entry.isDirectory()) {
    return directoryOf(names, reading);
  }
  if (entry.isFile()) {
    return fileOf(names, reading);
  }
  return entry.isSymbolicLink() ? linkOf(names, reading) : specialOf(names, reading);
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
  const path = pathOf(names, reading);
  let status: BigIntStats;
  try {
    status = inspect(path);
    if (status.isFile()) {
      requireInPlace(path);
    }
  } catch (error) {
    throw deferredError(error);
  }
  if (!status.isFile()) {
    throw new DeferredError("unreadable", "it is no longer a file");
  }
  const { sizeBytes, modifiedMs } = attributesOf(status);
  const { maxFileBytes } = reading.limits;
  const readRange = (start: number, end: number) => {
    if (sizeBytes > maxFileBytes) {
      throw new Error(`it is ${sizeBytes} bytes large, over maxFileBytes (${maxFileBytes})`);
    }
    return readHostRange(path, start, end);
  };
  return { kind: "file", sizeBytes, modifiedMs, content: { kind: "ranges", readRange } };
}

function linkOf(names: readonly string[], reading: Reading): SymlinkEntry {
  const path = pathOf(names, reading);
  const target = reachableTarget(readlinkSync(path), names.slice(0, -1), reading.roots);
  return { kind: "symlink", target, modifiedMs: attributesOf(inspect(path)).modifiedMs };
}

function specialOf(names: readonly string[], reading: Reading): TreeEntry {
  const { modifiedMs } = attributesOf(inspect(pathOf(names, reading)));
  return { kind: "special", modifiedMs };
}

/** Returns whole numbers: a `number` would round a time up to the next millisecond. */
function inspect(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}

function attributesOf({ size, mtimeMs }: BigIntStats): Pick<FileEntry, "sizeBytes" | "modifiedMs"> {
  return { sizeBytes: Number(size), modifiedMs: clampModifiedMs(Number(mtimeMs)) };
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
