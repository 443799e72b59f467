/** The mounted tree: a list of buttons, one level at a time. */
import type { TreeglassClient } from "../index.ts";
import { sentenceOf } from "../page-parts/error-sentence.ts";
import { formatCount } from "../page-parts/format-quantities.ts";
import { showName } from "../page-parts/hostile-characters.ts";
import { makeElement } from "../page-parts/make-element.ts";
import { loadTreePage, type TreeEntry, type TreePage } from "../page-parts/tree-pages.ts";

/** An entry became the chosen one; `button` is where it stands. */
export type ChooseEntry = (entry: TreeEntry, button: HTMLButtonElement) => void;

/** Directories that were opened stay as they are until the tree is shown anew. */
export class FileTree {
  readonly element = makeElement("div", { class: "tree", part: "tree" });
  readonly #onChoose: ChooseEntry;
  #client: TreeglassClient | null = null;

  constructor(onChoose: ChooseEntry) {
    this.#onChoose = onChoose;
  }

  /** Shows the tree of a client; none where it is null. */
  async show(client: TreeglassClient | null): Promise<void> {
    this.#client = client;
    const list = makeElement("ul");
    this.element.replaceChildren(list);
    if (client !== null) {
      await this.#loadInto(list, "", 0);
    }
  }

  async #loadInto(list: HTMLElement, path: string, offset: number): Promise<void> {
    const client = this.#client;
    if (client === null) {
      return;
    }
    list.setAttribute("aria-busy", "true");
    try {
      const page = await loadTreePage(client, path, offset);
      // Another tree may have taken its place meanwhile.
      if (client === this.#client) {
        this.#append(list, path, offset, page);
      }
    } catch (error) {
      list.append(makeElement("li", {}, makeElement("p", {}, sentenceOf(error))));
    } finally {
      list.removeAttribute("aria-busy");
    }
  }

  #append(list: HTMLElement, path: string, offset: number, page: TreePage): void {
    const { entries, totalEntries } = page;
    list.append(...entries.map((entry) => this.#makeItem(entry)));
    const shown = offset + entries.length;
    if (entries.length > 0 && shown < totalEntries) {
      list.append(this.#makeMore(list, path, shown, totalEntries));
    }
    if (totalEntries === 0) {
      list.append(makeElement("li", {}, makeElement("p", {}, "empty")));
    }
  }

  #makeItem(entry: TreeEntry): HTMLLIElement {
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

  #makeMore(list: HTMLElement, path: string, shown: number, total: number): HTMLLIElement {
    const words = `More (${formatCount(shown)} of ${formatCount(total)} shown)`;
    const button = makeElement("button", { type: "button", class: "more" }, words);
    const item = makeElement("li", {}, button);
    button.addEventListener("click", async () => {
      const before = item.previousElementSibling;
      const hadFocus = button.matches(":focus");
      item.remove();
      await this.#loadInto(list, path, shown);
      if (hadFocus) {
        before?.nextElementSibling?.querySelector("button")?.focus();
      }
    });
    return item;
  }
}
