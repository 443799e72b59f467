/** Drops in a browser that gives handles instead of entries. */
import { TreeglassError } from "../protocol/errors.ts";
import { type ChosenFile, directoryOnPage } from "./files-on-page.ts";

/** A file or a folder that was dropped. */
export interface DroppedHandle {
  readonly name: string;
  readonly handle: Promise<FileSystemHandle | null>;
}

/** A method that some browsers add to an item. */
interface HandleGiving {
  getAsFileSystemHandle(): Promise<FileSystemHandle | null>;
}

/** Returns the handle of an item without entries; null if it has no handle, or is a text. */
export function takeHandle(item: DataTransferItem): DroppedHandle | null {
  if (typeof item.webkitGetAsEntry === "function" || item.kind !== "file" || !givesHandle(item)) {
    return null;
  }
  // The page shows the name at the drop, and the handle, which also has it, arrives later.
  const name = item.getAsFile()?.name ?? "";
  const handle = item.getAsFileSystemHandle();
  // A drop that is never mounted leaves this rejection unhandled.
  handle.catch(() => undefined);
  return { name, handle };
}

/**
 * Yields the files and directories of a handle.
 *
 * Throws `SourceUnreadable` if one cannot be read, and the signal's reason once that aborts.
 */
export async function* filesOf(
  { name, handle }: DroppedHandle,
  signal: AbortSignal,
): AsyncGenerator<ChosenFile> {
  const top = await handle.catch((cause) => {
    throw unreadable(name, cause);
  });
  if (top === null) {
    return;
  }
  yield chosenFile(top.name, top);
  const pending = [{ path: top.name, handle: top }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for await (const child of childrenOf(next.path, next.handle, signal)) {
      const path = `${next.path}/${child.name}`;
      yield chosenFile(path, child);
      pending.push({ path, handle: child });
    }
  }
}

/** Returns the name of the folder if exactly one folder was dropped; else null. */
export async function folderOf(handles: readonly DroppedHandle[]): Promise<string | null> {
  const [only] = handles;
  const top = handles.length === 1 ? await only?.handle.catch(() => null) : null;
  return top?.kind === "directory" ? top.name : null;
}

async function* childrenOf(
  path: string,
  handle: FileSystemHandle,
  signal: AbortSignal,
): AsyncGenerator<FileSystemHandle> {
  signal.throwIfAborted();
  if (!isDirectory(handle)) {
    return;
  }
  try {
    for await (const child of handle.values()) {
      signal.throwIfAborted();
      yield child;
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : unreadable(path, error);
  }
}

function chosenFile(path: string, handle: FileSystemHandle): ChosenFile {
  return isFile(handle) ? { path, give: () => handle.getFile() } : directoryOnPage(path);
}

function unreadable(path: string, cause: unknown): TreeglassError {
  const message = `The dropped '${path}' cannot be read; check its permissions and drop it again.`;
  return new TreeglassError("SourceUnreadable", message, { cause });
}

function givesHandle(item: object): item is HandleGiving {
  return "getAsFileSystemHandle" in item;
}

function isDirectory(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === "directory";
}

function isFile(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === "file";
}
