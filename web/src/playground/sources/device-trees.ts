/** Trees from the visitor's device, with what has to be kept so that a reload finds them again. */

import { collectDrop } from "../../index.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import type { ChosenTree } from "../state/linked-tree.ts";

declare global {
  interface Window {
    /** Only some browsers have it, and only on a secure connection. */
    readonly showDirectoryPicker?: (options: {
      readonly mode: "read";
    }) => Promise<FileSystemDirectoryHandle>;
  }
}

/** A source that a browser's database can hold. */
export type DeviceSource =
  | { readonly archive: File }
  | { readonly files: readonly File[] }
  | { readonly directory: FileSystemDirectoryHandle };

export interface DeviceTree extends ChosenTree {
  readonly device: DeviceSource;
}

export const EMPTY_FOLDER =
  "The folder has no files, and a browser passes on only files. Choose a folder that has one.";

/** Returns the tree of a source; the content is read when it is mounted, and later. */
export function deviceTree(name: string, device: DeviceSource): DeviceTree {
  return { name, device, open: async () => device };
}

export function isDeviceTree(choice: ChosenTree | undefined): choice is DeviceTree {
  return choice !== undefined && "device" in choice;
}

/** Returns the tree of chosen files; null for an empty list. */
export function treeOfFiles(files: readonly File[]): DeviceTree | null {
  const [first] = files;
  if (first === undefined) {
    return null;
  }
  const [folder] = first.webkitRelativePath.split("/");
  const name = files.length === 1 ? first.name : formatCounted(files.length, "file");
  return deviceTree(folder || name, { files });
}

/** Asks the browser for a folder; null if the visitor closes the dialog. */
export async function chooseFolder(): Promise<DeviceTree | null> {
  try {
    const directory = await window.showDirectoryPicker?.({ mode: "read" });
    return directory === undefined ? null : deviceTree(directory.name, { directory });
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
    return deviceTree(file.name, isArchive ? { archive: file } : { files: [file] });
  }
  return { name: drop.names.join(", "), open: async () => ({ files: drop }) };
}

/** Returns the size of what would be kept; null for a folder, of which only the handle is kept. */
export function keptBytes(device: DeviceSource): number | null {
  if ("archive" in device) {
    return device.archive.size;
  }
  return "files" in device ? device.files.reduce((sum, { size }) => sum + size, 0) : null;
}

/** More folders than this are not offered one by one; the whole storage holds them all. */
const MAX_FOLDERS = 100;
const MAX_ENTRIES = 10_000;

/** Resolves with an empty list if the browser has no storage of its own, or keeps it from this page. */
export async function listStoredFolders(): Promise<readonly ChosenTree[]> {
  try {
    const storage = await navigator.storage.getDirectory();
    const folders: ChosenTree[] = [];
    let entryCount = 0;
    for await (const [name, directory] of storage.entries()) {
      entryCount += 1;
      if (directory instanceof FileSystemDirectoryHandle) {
        folders.push(deviceTree(name, { directory }));
      }
      if (folders.length === MAX_FOLDERS || entryCount === MAX_ENTRIES) {
        break;
      }
    }
    const all = deviceTree("All of this site's storage", { directory: storage });
    return entryCount === 0 ? [] : [...folders, all];
  } catch {
    return [];
  }
}

/** The first bytes of zip, empty zip, gzip, bzip2 and xz files, one character per byte. */
const ARCHIVE_STARTS = ["PK\u0003\u0004", "PK\u0005\u0006", "\u001f\u008b", "BZh", "\u00fd7zXZ\0"];

/** A tar begins with a header of this size, which holds its own checksum. */
const TAR_HEADER_BYTES = 512;
const TAR_CHECKSUM = { start: 148, end: 156 } as const;
const BLANK = 0x20;

/**
 * Resolves with whether a file begins like an archive.
 *
 * Rejects if the file cannot be read.
 */
export async function startsLikeArchive(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, TAR_HEADER_BYTES).arrayBuffer());
  const text = Array.from(start, (byte) => String.fromCharCode(byte)).join("");
  return ARCHIVE_STARTS.some((known) => text.startsWith(known)) || isTarHeader(start, text);
}

/** Checks the header's checksum, since the oldest tar format has no other mark. */
function isTarHeader(start: Uint8Array, text: string): boolean {
  if (start.length < TAR_HEADER_BYTES) {
    return false;
  }
  const written = /^[ 0]*([0-7]{1,6})[ \0]/.exec(text.slice(TAR_CHECKSUM.start, TAR_CHECKSUM.end));
  const sum = start.reduce((total, byte, index) => {
    const isChecksum = index >= TAR_CHECKSUM.start && index < TAR_CHECKSUM.end;
    return total + (isChecksum ? BLANK : byte);
  }, 0);
  return Number.parseInt(written?.[1] ?? "", 8) === sum;
}
