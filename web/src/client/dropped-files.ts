/** Trees that a visitor drops on a page. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ChosenFile, FilesOnPage } from "./files-on-page.ts";
import type { DomType, Drop } from "./sources.ts";

/**
 * Takes the files and folders of a drop synchronously.
 *
 * The browser empties a drop as soon as its event is over: call this in the event handler, before
 * any await, and mount the result whenever you like, as `{ files: drop }`. Nothing is read before
 * that, and empty folders are kept. A drop without files has no names and cannot be mounted.
 */
export function collectDrop(transfer: DomType<"DataTransfer">): Drop {
  return new DroppedEntries(transfer);
}

/** @internal The entries of a drop, which outlive it. */
export class DroppedEntries implements Drop {
  readonly names: readonly string[];
  readonly folder: string | null;
  readonly #entries: readonly FileSystemEntry[];
  readonly #filesAlone: readonly File[];

  constructor(transfer: DomType<"DataTransfer">) {
    this.#entries = Array.from(transfer.items)
      .map((item) => item.webkitGetAsEntry?.() ?? null)
      .filter((entry) => entry !== null);
    // A drop that a script made has files, but no entries.
    this.#filesAlone = this.#entries.length > 0 ? [] : Array.from(transfer.files);
    this.names = [...this.#entries, ...this.#filesAlone].map(({ name }) => name);
    const [only] = this.#entries;
    this.folder = this.names.length === 1 && only?.isDirectory ? only.name : null;
  }

  /**
   * Returns all files and directories.
   *
   * Throws `LimitExceeded` as soon as there are more than `maxEntries`, `SourceUnreadable` if the
   * drop is empty or a folder cannot be read, and the signal's reason once that aborts.
   */
  async list(signal: AbortSignal, maxEntries: number): Promise<FilesOnPage> {
    if (this.names.length === 0) {
      throw nothingDropped();
    }
    const files: ChosenFile[] = this.#filesAlone.map((file) => ({
      path: file.name,
      give: () => file,
    }));
    const pending = [...this.#entries];
    const requireRoom = () => {
      // The mount point replaces a single folder, which is then no entry of the tree.
      const found = files.length + pending.length - (this.folder === null ? 0 : 1);
      if (found > maxEntries) {
        throw tooManyDropped(maxEntries);
      }
    };
    requireRoom();
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      signal.throwIfAborted();
      const path = entry.fullPath.replace(/^\//, "");
      if (isDirectoryEntry(entry)) {
        files.push({ path, give: null });
        for await (const child of childrenOf(entry, signal)) {
          pending.push(child);
          requireRoom();
        }
      } else if (isFileEntry(entry)) {
        files.push({ path, give: () => fileOf(entry) });
      }
    }
    // The caller no longer waits, so it would never release the files.
    signal.throwIfAborted();
    return { files, folder: this.folder };
  }
}

async function* childrenOf(
  directory: FileSystemDirectoryEntry,
  signal: AbortSignal,
): AsyncGenerator<FileSystemEntry> {
  const reader = directory.createReader();
  for (;;) {
    signal.throwIfAborted();
    // Browsers return a hundred entries at a time, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, (error) => reject(unreadable(directory, error))),
    );
    if (batch.length === 0) {
      return;
    }
    yield* batch;
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) =>
    entry.file(resolve, (error) => reject(unreadable(entry, error))),
  );
}

function nothingDropped(): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    "The drop holds no files; drop files or folders, and pass the DataTransfer to mount or collectDrop in the drop event itself, before any await.",
  );
}

function tooManyDropped(maxEntries: number): TreeglassError {
  return new TreeglassError(
    "LimitExceeded",
    `More than ${maxEntries} entries were dropped (maxEntries); drop a part of the tree, or raise limits.maxEntries.`,
  );
}

function unreadable(entry: FileSystemEntry, cause: unknown): TreeglassError {
  const message = `The dropped '${entry.fullPath}' cannot be read; check its permissions and drop it again.`;
  return new TreeglassError("SourceUnreadable", message, { cause });
}

function isDirectoryEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
