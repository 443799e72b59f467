/** The panel beside the answer for the files of the tree; what it shows is loaded with the tree. */
import { sentenceOf } from "../../ui/error-sentence.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import type { OpenTree } from "../runs/demo-call.ts";
import { loadViewsModule } from "../runs/late-modules.ts";
import type { FileTree } from "./file-tree.ts";

export interface FilesPanelActions {
  readonly openTree: () => Promise<OpenTree>;
  readonly announce: (words: string) => void;
  readonly onUsePath: (path: string) => void;
}

/** Lists a tree only while open; mounts it only when the reader asks for its files. */
export class FilesPanel {
  readonly element: HTMLElement;
  readonly reading = makeElement("div", { class: "reading-place" });
  readonly #actions: FilesPanelActions;
  readonly #path = makeElement("span", { class: "path", dir: "ltr" });
  readonly #usePath = makeButton("Use path", () => this.#actions.onUsePath(this.#chosen));
  readonly #load = makeButton("Load files", () => void this.load());
  #view: FileTree | null = null;
  #canRead = true;
  #canUsePath = true;
  #shown: OpenTree | null = null;
  /** The chosen entry as a tool's argument; the mount itself until the reader chooses one. */
  #chosen = "";

  constructor(actions: FilesPanelActions) {
    this.#actions = actions;
    const head = makeElement("div", { class: "files-head" }, this.#path, this.#load, this.#usePath);
    this.element = makeElement(
      "div",
      { class: "files", part: "files", role: "group", "aria-label": "Files", id: "files" },
      head,
    );
    this.element.hidden = true;
    this.forget();
  }

  /** True if a click on a file opens it. */
  set canRead(canRead: boolean) {
    this.#canRead = canRead;
    if (this.#view !== null) {
      this.#view.canRead = canRead;
    }
  }

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
    const view = await this.#makeView();
    if (view === null || this.#shown !== tree) {
      return;
    }
    this.#usePath.hidden = !this.#canUsePath;
    this.#choose(tree.mountPath);
    await view.show(tree);
    if (this.#shown === tree) {
      // Moves the focus only if the reader has not moved it meanwhile.
      const hadFocus = this.#load.matches(":focus");
      this.#load.hidden = true;
      if (hadFocus) {
        view.focus();
      }
    }
  }

  forget(): void {
    this.#shown = null;
    this.#path.textContent = "No files loaded";
    this.#load.hidden = false;
    this.#usePath.hidden = true;
    void this.#view?.show(null);
  }

  closeFile(): void {
    this.#view?.reading.close();
  }

  async #makeView(): Promise<FileTree | null> {
    try {
      const { FileTree: Tree, adoptViewStyles } = await loadViewsModule();
      adoptViewStyles(this.element.getRootNode());
      this.#view ??= this.#place(Tree);
    } catch (error) {
      this.#shown = null;
      this.#path.textContent = sentenceOf(error);
      this.#actions.announce(sentenceOf(error));
    }
    return this.#view;
  }

  #place(Tree: typeof FileTree): FileTree {
    const view = new Tree({
      announce: this.#actions.announce,
      onChoose: (path) => this.#choose(path),
    });
    view.canRead = this.#canRead;
    this.element.append(view.element);
    this.reading.append(view.reading.element);
    return view;
  }

  #choose(path: string): void {
    this.#chosen = path;
    this.#path.textContent = path;
    this.#path.title = path;
  }
}
