/** Offers folders of the browser's private storage for this site as trees to mount. */

import { showName } from "../page-parts/hostile-characters.ts";
import { findElement, makeElement } from "../page-parts/make-element.ts";
import type { ChosenTree } from "./chosen-tree.ts";

/** The page offers no more single folders than this; the choice of the whole storage holds all. */
const MAX_FOLDERS = 100;

/** The search for folders stops after this many entries, since the dialog waits for its end. */
const MAX_ENTRIES = 10_000;

const WHOLE_STORAGE = "All of this site's storage";

/** Shows the storage and its top folders; hidden if the storage is empty or closed to this page. */
export class BrowserStorage {
  readonly #section = findElement("storage-choice", HTMLElement);
  readonly #list = findElement("storage-list", HTMLUListElement);
  readonly #onChoose: (choice: ChosenTree) => void;

  constructor(onChoose: (choice: ChosenTree) => void) {
    this.#onChoose = onChoose;
  }

  /** Reads the storage again. */
  async refresh(): Promise<void> {
    const found = await listTop();
    this.#section.hidden = found.length === 0;
    this.#list.replaceChildren(...found.map((choice) => this.#makeLine(choice)));
  }

  #makeLine(choice: ChosenTree): HTMLLIElement {
    const button = makeElement("button", { type: "button" });
    button.append(showName(choice.name));
    button.addEventListener("click", () => this.#onChoose(choice));
    return makeElement("li", {}, button);
  }
}

async function listTop(): Promise<readonly ChosenTree[]> {
  try {
    const storage = await navigator.storage.getDirectory();
    const folders: ChosenTree[] = [];
    let entryCount = 0;
    for await (const [name, handle] of storage.entries()) {
      entryCount += 1;
      if (isDirectory(handle)) {
        folders.push(choiceOf(name, handle));
      }
      if (folders.length === MAX_FOLDERS || entryCount === MAX_ENTRIES) {
        break;
      }
    }
    folders.sort((left, right) => (left.name < right.name ? -1 : 1));
    return entryCount === 0 ? [] : [...folders, choiceOf(WHOLE_STORAGE, storage)];
  } catch {
    // The browser has no such storage, or denies it to this page.
    return [];
  }
}

function choiceOf(name: string, directory: FileSystemDirectoryHandle): ChosenTree {
  return { name, open: async () => ({ directory }) };
}

function isDirectory(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === "directory";
}
