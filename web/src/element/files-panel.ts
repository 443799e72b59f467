/** Shows the tree of files beside the answer, and opens the chosen file. */
import { makeElement } from "../ui/make-element.ts";
import type { TreeEntry } from "../ui/tree-pages.ts";
import type { OpenTree } from "./demo-runs.ts";
import { toToolPath } from "./file-pages.ts";
import { FileTree } from "./file-tree.ts";
import { ReadingView } from "./reading-view.ts";

export interface FilesPanelActions {
  /** Mounts the tree, if it is not mounted. */
  readonly openTree: () => Promise<OpenTree>;
  readonly announce: (words: string) => void;
  /** The reader wants this path in the arguments. */
  readonly onUsePath: (path: string) => void;
}

/** Lists a tree only while open; mounts it only when the reader asks for its files. */
export class FilesPanel {
  readonly element: HTMLElement;
  readonly reading: ReadingView;
  readonly #actions: FilesPanelActions;
  readonly #path = makeElement("span", { class: "path", dir: "ltr" });
  readonly #usePath = makeElement("button", { type: "button", part: "button" }, "Use path");
  readonly #load = makeElement("button", { type: "button", part: "button" }, "Load files");
  readonly #tree = new FileTree((entry, button) => this.#choose(entry, button));
  /** Whether choosing a file opens it. */
  canRead = true;
  #canUsePath = true;
  #shown: OpenTree | null = null;
  #chosen: { readonly path: string; readonly button: HTMLButtonElement } | null = null;

  constructor(actions: FilesPanelActions) {
    this.#actions = actions;
    this.reading = new ReadingView({
      announce: actions.announce,
      onClose: () => this.#chosen?.button.focus(),
    });
    this.#usePath.addEventListener("click", () => {
      if (this.#shown !== null) {
        actions.onUsePath(toToolPath(this.#shown.mountPath, this.#chosen?.path ?? ""));
      }
    });
    this.#load.addEventListener("click", () => void this.load());
    const head = makeElement("div", { class: "files-head" }, this.#path, this.#load, this.#usePath);
    this.element = makeElement(
      "div",
      { class: "files", part: "files", role: "group", "aria-label": "Files", id: "files" },
      head,
      this.#tree.element,
    );
    this.element.hidden = true;
    this.forget();
  }

  /** Whether the reader may put a path into the arguments. */
  set canUsePath(canUsePath: boolean) {
    this.#canUsePath = canUsePath;
    this.#usePath.hidden = !canUsePath || this.#shown === null;
  }

  /** Mounts the tree, if needed, and shows it; `openTree` itself reports a failure. */
  async load(): Promise<void> {
    try {
      await this.offer(await this.#actions.openTree());
    } catch {
      // `openTree` has reported it.
    }
  }

  /** Shows a mounted tree, if the panel is open and does not show it already. */
  async offer(tree: OpenTree): Promise<void> {
    if (this.element.hidden || this.#shown?.client === tree.client) {
      return;
    }
    this.forget();
    this.#shown = tree;
    this.#usePath.hidden = !this.#canUsePath;
    this.#path.textContent = tree.mountPath;
    await this.#tree.show(tree.client);
    if (this.#shown === tree) {
      // Moves the focus only if the reader has not moved it meanwhile.
      const hadFocus = this.#load.matches(":focus");
      this.#load.hidden = true;
      if (hadFocus) {
        this.#tree.element.querySelector("button")?.focus();
      }
    }
  }

  /** Shows no tree. */
  forget(): void {
    this.#shown = null;
    this.#chosen = null;
    this.#path.textContent = "No files loaded";
    this.#load.hidden = false;
    this.#usePath.hidden = true;
    this.reading.close();
    void this.#tree.show(null);
  }

  #choose(entry: TreeEntry, button: HTMLButtonElement): void {
    const tree = this.#shown;
    if (tree === null) {
      return;
    }
    this.#chosen = { path: entry.path, button };
    const path = toToolPath(tree.mountPath, entry.path);
    this.#path.textContent = path;
    this.#path.title = path;
    if (entry.kind !== "dir" && this.canRead) {
      void this.reading.show(tree, entry.path);
    }
  }
}
