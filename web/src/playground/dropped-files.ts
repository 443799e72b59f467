/** The files of a dropped folder, with their paths in it. */

/** `readEntries` gives at most a hundred entries at a time, and then nothing. */
async function readAll(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (batch.length === 0) {
      return entries;
    }
    entries.push(...batch);
  }
}

/** Returns every file at and below the entries; aborting ends the walk. */
export async function collectFiles(
  entries: readonly FileSystemEntry[],
  signal: AbortSignal,
): Promise<File[]> {
  const files: File[] = [];
  const pending = [...entries];
  for (let entry = pending.shift(); entry !== undefined; entry = pending.shift()) {
    signal.throwIfAborted();
    if (isDirectory(entry)) {
      // One by one: a call takes some 100,000 arguments at most.
      for (const child of await readAll(entry)) {
        pending.push(child);
      }
    } else if (isFile(entry)) {
      files.push(await readFile(entry));
    }
  }
  return files;
}

/** Returns the entry's file; its relative path, which a drop leaves empty, is filled in. */
async function readFile(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
  const path = entry.fullPath.replace(/^\//, "");
  return Object.defineProperty(file, "webkitRelativePath", { value: path });
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
