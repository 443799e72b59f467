/** The selected entry with its buttons, which replace the double click on touch screens. */

import { showName } from "../page-parts/hostile-characters.ts";
import { findElement, makeElement } from "../page-parts/make-element.ts";
import type { TreeEntry } from "../page-parts/tree-pages.ts";
import { MOUNT_PATH } from "./tool-notes.ts";

export interface TreeSelectionActions {
  readonly onList: (entry: TreeEntry) => void;
  readonly onRead: (entry: TreeEntry) => void;
}

export class TreeSelection {
  readonly #name = makeElement("output", { class: "selection-path" });
  readonly #list = makeElement("button", { type: "button", disabled: true }, "List");
  readonly #read = makeElement("button", { type: "button", disabled: true }, "Read");
  #entry: TreeEntry | null = null;

  constructor(actions: TreeSelectionActions) {
    this.#list.addEventListener("click", () => this.#entry && actions.onList(this.#entry));
    this.#read.addEventListener("click", () => this.#entry && actions.onRead(this.#entry));
    findElement("tree-selection", HTMLElement).append(this.#name, this.#list, this.#read);
    this.show(null);
  }

  /** Sets the label of the button for directories. */
  setListWords(words: string): void {
    this.#list.textContent = words;
  }

  show(entry: TreeEntry | null): void {
    this.#entry = entry;
    this.#list.disabled = entry === null || entry.kind === "file";
    this.#read.disabled = entry === null || entry.kind === "dir";
    if (entry === null) {
      this.#name.replaceChildren("Nothing selected");
    } else {
      const path = entry.path === "" ? MOUNT_PATH : entry.path;
      this.#name.replaceChildren(showName(path));
    }
  }
}
