/** Trees from the visitor's device, with what has to be kept so that a reload finds them again. */

import { collectDrop } from "../../index.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import { startsLikeArchive } from "./archive-start.ts";
import type { ChosenTree } from "./chosen-tree.ts";

declare global {
  interface Window {
    /** Only some browsers have it, and only on a secure connection. */
    readonly showDirectoryPicker?: (options: {
      readonly mode: "read";
    }) => Promise<FileSystemDirectoryHandle>;
  }
}

/** The parts of a tree that a browser's database can hold. */
export type DeviceSource =
  | { readonly kind: "archive"; readonly file: File }
  | { readonly kind: "files"; readonly files: readonly File[] }
  | { readonly kind: "directory"; readonly directory: FileSystemDirectoryHandle };

/** A tree that has no address. */
export interface DeviceTree extends ChosenTree {
  readonly device: DeviceSource;
}

export const EMPTY_FOLDER =
  "The folder has no files, and a browser passes on only files. Choose a folder that has one.";

/** Returns the tree of a source; the content is read when it is mounted, and later. */
export function deviceTree(name: string, device: DeviceSource): DeviceTree {
  switch (device.kind) {
    case "archive":
      return { name, device, open: async () => ({ archive: device.file }) };
    case "files":
      return { name, device, open: async () => ({ files: device.files }) };
    case "directory":
      return { name, device, open: async () => ({ directory: device.directory }) };
  }
}

/** Returns the tree of chosen files; null for an empty list. */
export function treeOfFiles(files: readonly File[]): DeviceTree | null {
  const [first] = files;
  if (first === undefined) {
    return null;
  }
  const [folder] = first.webkitRelativePath.split("/");
  const name = files.length === 1 ? first.name : formatCounted(files.length, "file");
  return deviceTree(folder || name, { kind: "files", files });
}

/** Asks the browser for a folder; null if the visitor closes the dialog. */
export async function chooseFolder(): Promise<DeviceTree | null> {
  try {
    const directory = await window.showDirectoryPicker?.({ mode: "read" });
    return directory === undefined
      ? null
      : deviceTree(directory.name, { kind: "directory", directory });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      return null;
    }
    throw new Error("The browser does not let this page open that folder. Choose another.");
  }
}

/**
 * Returns the tree that was dropped.
 *
 * Call it before the event ends: the browser empties the drop then.
 *
 * @throws Error for a folder without files.
 */
export async function treeOfDrop(dropped: DataTransfer): Promise<ChosenTree> {
  const drop = collectDrop(dropped);
  const [file] = dropped.files;
  if (drop.names.length === 0) {
    throw new Error(EMPTY_FOLDER);
  }
  if (drop.names.length === 1 && drop.folder === null && file !== undefined) {
    const isArchive = await startsLikeArchive(file);
    const device = isArchive
      ? ({ kind: "archive", file } as const)
      : ({ kind: "files", files: [file] } as const);
    return deviceTree(file.name, device);
  }
  return { name: drop.names.join(", "), open: async () => ({ files: drop }) };
}

/** Returns the size of what would be kept; null for a folder, of which only the handle is kept. */
export function keptBytes(device: DeviceSource): number | null {
  switch (device.kind) {
    case "archive":
      return device.file.size;
    case "files":
      return device.files.reduce((sum, { size }) => sum + size, 0);
    case "directory":
      return null;
  }
}
