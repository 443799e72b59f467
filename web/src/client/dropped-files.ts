import { TreeglassError } from "../protocol/errors.ts";
import type { WireFile } from "../protocol/messages.ts";

/** Most entries that are taken from a drop; the mount's own limit comes after it. */
const MAX_DROPPED_ENTRIES = 1_000_000;

/** Returns the files and directories of a drop; a single dropped directory is its folder. */
export async function listDroppedFiles(
  transfer: DataTransfer,
): Promise<{ files: WireFile[]; folder: string | null }> {
  // All of them before the first pause: the browser empties a drop when its event is over.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter(
    (entry) => entry !== null,
  );
  if (entries.length === 0) {
    return { files: listFilesAlone(transfer), folder: null };
  }
  const files: WireFile[] = [];
  const pending: FileSystemEntry[] = [...entries];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const path = entry.fullPath.replace(/^\//, "");
    if (isDirectoryEntry(entry)) {
      files.push({ path, file: null, modifiedMs: 0 });
      // One by one: a call takes some 100,000 arguments at most.
      for (const child of await listDirectory(entry)) {
        pending.push(child);
      }
    } else if (isFileEntry(entry)) {
      const file = await fileOf(entry);
      files.push({ path, file, modifiedMs: file.lastModified });
    }
    if (files.length + pending.length > MAX_DROPPED_ENTRIES) {
      throw new TreeglassError(
        "LimitExceeded",
        `More than ${MAX_DROPPED_ENTRIES} entries were dropped; drop a part of the tree.`,
      );
    }
  }
  const [only] = entries;
  const folder = entries.length === 1 && only?.isDirectory ? only.name : null;
  return { files, folder };
}

/** Returns the files of a drop without entries: one that a script made, if not one read too late. */
function listFilesAlone(transfer: DataTransfer): WireFile[] {
  if (transfer.files.length === 0) {
    throw new TreeglassError(
      "SourceUnreadable",
      "The drop holds no files; drop files or folders, and pass the DataTransfer to mount in the drop event itself, before any await.",
    );
  }
  return Array.from(transfer.files, (file) => ({
    path: file.name,
    file,
    modifiedMs: file.lastModified,
  }));
}

async function listDirectory(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const listed: FileSystemEntry[] = [];
  for (;;) {
    // Browsers hand out a hundred at a time, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, (error) => reject(unreadable(directory, error))),
    );
    if (batch.length === 0) {
      return listed;
    }
    for (const entry of batch) {
      listed.push(entry);
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) =>
    entry.file(resolve, (error) => reject(unreadable(entry, error))),
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
