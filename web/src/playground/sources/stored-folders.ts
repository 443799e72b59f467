/** The folders of the browser's private storage for this site (OPFS), as trees to mount. */

import type { ChosenTree } from "./chosen-tree.ts";
import { deviceTree } from "./device-trees.ts";

/** More folders than this are not offered one by one; the whole storage holds them all. */
const MAX_FOLDERS = 100;
const MAX_ENTRIES = 10_000;

/** Resolves with an empty list if the browser has no such storage, or keeps it from this page. */
export async function listStoredFolders(): Promise<readonly ChosenTree[]> {
  try {
    const storage = await navigator.storage.getDirectory();
    const folders: ChosenTree[] = [];
    let entryCount = 0;
    for await (const [name, directory] of storage.entries()) {
      entryCount += 1;
      if (directory instanceof FileSystemDirectoryHandle) {
        folders.push(deviceTree(name, { kind: "directory", directory }));
      }
      if (folders.length === MAX_FOLDERS || entryCount === MAX_ENTRIES) {
        break;
      }
    }
    const all = { kind: "directory", directory: storage } as const;
    return entryCount === 0 ? [] : [...folders, deviceTree("All of this site's storage", all)];
  } catch {
    return [];
  }
}
