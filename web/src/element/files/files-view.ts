/** The tree of a demo and its chosen file; `element-files.js`, which a page loads with its first tree. */
import type { TreeEntry } from "../../ui/tree-pages.ts";
import type { OpenTree } from "../runs/demo-call.ts";
import { toToolPath } from "./file-pages.ts";
import { FileTree } from "./file-tree.ts";
import { ReadingView } from "./reading-view.ts";

export interface FilesViewActions {
  readonly announce: (words: string) => void;
  /** The reader chose an entry; the path is a tool's argument. */
  readonly onChoose: (path: string) => void;
}

export class FilesView {
  readonly element: HTMLElement;
  readonly reading: ReadingView;
  /** True if a click on a file opens it. */
  canRead = true;
  readonly #actions: FilesViewActions;
  readonly #tree = new FileTree((entry, button) => this.#choose(entry, button));
  #shown: OpenTree | null = null;
  #chosen: HTMLButtonElement | null = null;

  constructor(actions: FilesViewActions) {
    this.#actions = actions;
    this.reading = new ReadingView({
      announce: actions.announce,
      onClose: () => this.#chosen?.focus(),
    });
    this.element = this.#tree.element;
  }

  async show(tree: OpenTree | null): Promise<void> {
    this.#shown = tree;
    this.#chosen = null;
    this.reading.close();
    await this.#tree.show(tree?.client ?? null);
  }

  focus(): void {
    this.element.querySelector("button")?.focus();
  }

  #choose(entry: TreeEntry, button: HTMLButtonElement): void {
    const tree = this.#shown;
    if (tree === null) {
      return;
    }
    this.#chosen = button;
    this.#actions.onChoose(toToolPath(tree.mountPath, entry.path));
    if (entry.kind !== "dir" && this.canRead) {
      void this.reading.show(tree, entry.path);
    }
  }
}
