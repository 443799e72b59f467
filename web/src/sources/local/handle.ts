/** A directory handle as a tree, listed and read on demand. */
import type { MountLimits } from "../../protocol/mount-report.ts";
import { type IsShown, shownWithin } from "../names.ts";
import { type BlobReaders, changingBlobAccess } from "../random-access.ts";
import {
  type DeferredDirectory,
  DeferredError,
  type DeferredFile,
  type FileEntry,
  type Tree,
  type TreeEntry,
  unlistedTree,
} from "../tree.ts";
import { entryOf } from "./files.ts";

/** This module calls only the reading methods of a handle: it has no code that could write. */
interface Reading {
  readonly limits: MountLimits;
  readonly isShown: IsShown;
  readonly readers: BlobReaders;
}

/** Returns a handle's tree without listing it; the counts of its report are unknown. */
export function openHandle(
  handle: FileSystemDirectoryHandle,
  limits: MountLimits,
  skip: readonly string[],
  readers: BlobReaders,
): Tree {
  const reading: Reading = { limits, readers, isShown: shownWithin(limits, skip) };
  return unlistedTree(directoryOf(handle, [], reading));
}

function directoryOf(
  handle: FileSystemDirectoryHandle,
  names: readonly string[],
  reading: Reading,
): DeferredDirectory {
  return {
    kind: "deferred-directory",
    find: (name) => findEntry(handle, [...names, name], reading),
    list: () => listEntries(handle, names, reading),
  };
}

async function findEntry(
  handle: FileSystemDirectoryHandle,
  names: readonly string[],
  reading: Reading,
): Promise<TreeEntry | null> {
  const name = names.at(-1) ?? "";
  if (!reading.isShown(names)) {
    return null;
  }
  try {
    return fileOf(await handle.getFileHandle(name), reading);
  } catch (error) {
    if (!isDomException(error, "TypeMismatchError")) {
      return absent(error);
    }
  }
  try {
    return directoryOf(await handle.getDirectoryHandle(name), names, reading);
  } catch (error) {
    return absent(error);
  }
}

async function listEntries(
  handle: FileSystemDirectoryHandle,
  names: readonly string[],
  reading: Reading,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const { maxEntries } = reading.limits;
  const entries = new Map<string, TreeEntry>();
  let seenCount = 0;
  try {
    for await (const child of handle.values()) {
      seenCount += 1;
      if (seenCount > maxEntries) {
        break;
      }
      const path = [...names, child.name];
      if (reading.isShown(path)) {
        entries.set(child.name, childOf(child, path, reading));
      }
    }
  } catch (error) {
    throw deferredError(error);
  }
  if (seenCount > maxEntries) {
    throw new DeferredError(
      "unreadable",
      `the directory has more than ${maxEntries} entries (maxEntries)`,
    );
  }
  return entries;
}

function childOf(child: FileSystemHandle, names: readonly string[], reading: Reading): TreeEntry {
  if (isDirectoryHandle(child)) {
    return directoryOf(child, names, reading);
  }
  if (isFileHandle(child)) {
    return fileOf(child, reading);
  }
  throw new DeferredError("unreadable", "it is neither a file nor a directory");
}

function fileOf(handle: FileSystemFileHandle, reading: Reading): DeferredFile {
  return { kind: "deferred-file", seen: null, inspect: () => lookAt(handle, reading) };
}

async function lookAt(
  handle: FileSystemFileHandle,
  { limits, readers }: Reading,
): Promise<FileEntry> {
  const file = await handle.getFile().catch((error) => {
    throw deferredError(error);
  });
  const access = changingBlobAccess(file, readers);
  const place = { access, span: { start: 0, end: file.size } };
  return entryOf(place, file.lastModified, limits.maxFileBytes);
}

/** Returns null for a missing entry; throws for any other error of the browser. */
function absent(error: unknown): null {
  // A name that no directory can hold is a TypeError: such an entry is missing too.
  if (error instanceof TypeError || isDomException(error, "NotFoundError")) {
    return null;
  }
  throw deferredError(error);
}

function deferredError(cause: unknown): DeferredError {
  if (isDomException(cause, "NotFoundError")) {
    return new DeferredError("missing", "it is no longer there", { cause });
  }
  if (isDomException(cause, "NotAllowedError") || isDomException(cause, "SecurityError")) {
    const reason = "the browser does not allow this page to read it; choose the folder again";
    return new DeferredError("forbidden", reason, { cause });
  }
  return new DeferredError("unreadable", "the browser cannot read it", { cause });
}

function isDomException(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}

function isDirectoryHandle(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === "directory";
}

function isFileHandle(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === "file";
}
