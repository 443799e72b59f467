/** Shows the mounted tree as lists of buttons, and loads one directory at a time. */
import type { TreeglassClient } from "../../index.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatCount } from "../../ui/format-quantities.ts";
import { showName } from "../../ui/hostile-characters.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import { loadTreePage, type TreeEntry, type TreePage } from "../../ui/tree-pages.ts";

/** Called when the reader chooses an entry; `button` is the entry's button. */
export type ChooseEntry = (entry: TreeEntry, button: HTMLButtonElement) => void;

/** Keeps the entries of an opened directory until `show` is called again. */
export class FileTree {
  readonly element = makeElement("div", { class: "tree", part: "tree" });
  readonly #onChoose: ChooseEntry;
  #client: TreeglassClient | null = null;

  constructor(onChoose: ChooseEntry) {
    this.#onChoose = onChoose;
  }

  async show(client: TreeglassClient | null): Promise<void> {
    this.#client = client;
    const list = makeElement("ul");
    this.element.replaceChildren(list);
    if (client !== null) {
      await this.#loadInto(list, "", 0);
    }
  }

  /** Loads a page of a directory into a list, in place of `asked`: the item that was clicked. */
  async #loadInto(
    list: HTMLElement,
    path: string,
    offset: number,
    asked?: HTMLElement,
  ): Promise<void> {
    const client = this.#client;
    if (client === null || list.hasAttribute("aria-busy")) {
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
    this.#onChoose(entry, button);
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
