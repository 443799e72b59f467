/** Shows the tree of a demo as lists of buttons, one directory at a time, and the chosen file. */
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatCount } from "../../ui/format-quantities.ts";
import { showName } from "../../ui/hostile-characters.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import { loadTreePage, type TreeEntry, type TreePage } from "../../ui/tree-pages.ts";
import type { OpenTree } from "../runs/demo-call.ts";
import { toToolPath } from "./file-pages.ts";
import { ReadingView } from "./reading-view.ts";

export interface FileTreeActions {
  readonly announce: (words: string) => void;
  /** The reader chose an entry; the path is a tool's argument. */
  readonly onChoose: (path: string) => void;
}

/** Keeps the entries of an opened directory until `show` is called again. */
export class FileTree {
  readonly element = makeElement("div", { class: "tree", part: "tree" });
  readonly reading: ReadingView;
  /** True if a click on a file opens it. */
  canRead = true;
  readonly #onChoose: (path: string) => void;
  #shown: OpenTree | null = null;
  #chosen: HTMLButtonElement | null = null;

  constructor({ announce, onChoose }: FileTreeActions) {
    this.#onChoose = onChoose;
    this.reading = new ReadingView({ announce, onClose: () => this.#chosen?.focus() });
  }

  async show(tree: OpenTree | null): Promise<void> {
    this.#shown = tree;
    this.#chosen = null;
    this.reading.close();
    const list = makeElement("ul");
    this.element.replaceChildren(list);
    if (tree !== null) {
      await this.#loadInto(list, "", 0);
    }
  }

  focus(): void {
    this.element.querySelector("button")?.focus();
  }

  /** Loads a page of a directory into a list, in place of `asked`: the item that was clicked. */
  async #loadInto(
    list: HTMLElement,
    path: string,
    offset: number,
    asked?: HTMLElement,
  ): Promise<void> {
    const client = this.#shown?.client;
    if (client === undefined || list.hasAttribute("aria-busy")) {
      return;
    }
    list.setAttribute("aria-busy", "true");
    const items = await loadTreePage(client, path, offset).then(
      (page) => this.#makeItems(list, path, offset, page),
      (error: unknown) => [this.#makeRetry(list, path, offset, sentenceOf(error))],
    );
    list.removeAttribute("aria-busy");
    const hadFocus = asked?.querySelector(":focus") != null;
    asked?.remove();
    list.append(...items);
    if (hadFocus) {
      (items[0]?.querySelector("button") ?? this.element).focus();
    }
  }

  #makeItems(list: HTMLElement, path: string, offset: number, page: TreePage): HTMLElement[] {
    const { entries, totalEntries } = page;
    const items = entries.map((entry) => this.#makeItem(entry));
    const shown = offset + entries.length;
    if (entries.length > 0 && shown < totalEntries) {
      const words = `More (${formatCount(shown)} of ${formatCount(totalEntries)} shown)`;
      items.push(this.#makeMore(list, path, shown, words));
    }
    if (totalEntries === 0) {
      items.push(makeElement("li", {}, makeElement("p", {}, "empty")));
    }
    return items;
  }

  #makeItem(entry: TreeEntry): HTMLElement {
    const isDirectory = entry.kind === "dir";
    const name = makeElement("span", { class: "name", dir: "ltr" });
    name.append(showName(entry.name));
    const sign = makeElement("span", {
      class: isDirectory ? "twist" : "leaf",
      "aria-hidden": "true",
    });
    const button = makeElement("button", { type: "button" }, sign, name);
    if (entry.kind === "link") {
      name.append(" \u2192", makeElement("span", { class: "visually-hidden" }, " (link)"));
    }
    const item = makeElement("li", {}, button);
    button.addEventListener("click", () => {
      this.#choose(entry, button);
      if (isDirectory) {
        this.#toggle(item, button, entry.path);
      }
    });
    if (isDirectory) {
      button.setAttribute("aria-expanded", "false");
    }
    return item;
  }

  #choose(entry: TreeEntry, button: HTMLButtonElement): void {
    this.element.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    this.#chosen = button;
    if (this.#shown !== null) {
      this.#onChoose(toToolPath(this.#shown.mountPath, entry.path));
      if (entry.kind !== "dir" && this.canRead) {
        void this.reading.show(this.#shown, entry.path);
      }
    }
  }

  #toggle(item: HTMLElement, button: HTMLButtonElement, path: string): void {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(isOpen));
    const list = button.nextElementSibling;
    if (list instanceof HTMLElement) {
      list.hidden = !isOpen;
    } else {
      const children = makeElement("ul");
      item.append(children);
      void this.#loadInto(children, path, 0);
    }
  }

  #makeRetry(list: HTMLElement, path: string, offset: number, sentence: string): HTMLElement {
    const item = this.#makeMore(list, path, offset, "Try again");
    item.prepend(makeElement("p", {}, sentence));
    return item;
  }

  #makeMore(list: HTMLElement, path: string, offset: number, words: string): HTMLElement {
    const load = () => void this.#loadInto(list, path, offset, item);
    const item = makeElement("li", {}, makeButton(words, load, { class: "more" }));
    return item;
  }
}
