/** Drops as a browser hands them over, which Node has not. */

/** Returns a transfer with these entries; null is an item that has none. */
export function dropOf(
  entries: readonly (object | null)[],
  files: readonly File[] = [],
): DataTransfer {
  const transfer: unknown = {
    [Symbol.toStringTag]: "DataTransfer",
    items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
    files,
  };
  // Only what the client looks at is there.
  return transfer as DataTransfer;
}

export function droppedFile(fullPath: string, file: File): object {
  return {
    isFile: true,
    isDirectory: false,
    name: lastName(fullPath),
    fullPath,
    file: (resolve: (file: File) => void) => resolve(file),
  };
}

/** A directory that hands out, and uses up, one batch after the other; null never answers. */
export function droppedDirectory(
  fullPath: string,
  batches: object[][] | null,
  onRead: () => void = () => undefined,
): object {
  return {
    isFile: false,
    isDirectory: true,
    name: lastName(fullPath),
    fullPath,
    createReader: () => ({
      readEntries: (resolve: (batch: object[]) => void) => {
        onRead();
        if (batches !== null) {
          resolve(batches.shift() ?? []);
        }
      },
    }),
  };
}

function lastName(fullPath: string): string {
  return fullPath.split("/").at(-1) ?? "";
}
