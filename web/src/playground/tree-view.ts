/** The tree pane: loads a directory when it is opened, and works fully from the keyboard. */

import { formatCount } from "../page-parts/format-quantities.ts";
import { showName } from "../page-parts/hostile-characters.ts";
import { makeElement, makeIcon } from "../page-parts/make-element.ts";
import type { TreeEntry, TreePage } from "../page-parts/tree-pages.ts";
import { moveInTree, TypeAhead } from "./tree-keyboard.ts";

export interface TreeViewActions {
  /** Returns the entries of a directory, starting at an offset. */
  readonly loadPage: (path: string, offset: number) => Promise<TreePage>;
  /** The visitor selected an entry. */
  readonly onSelect: (entry: TreeEntry) => void;
  /** The visitor double-clicked a file, or pressed Enter on it. */
  readonly onOpen: (entry: TreeEntry) => void;
}

const ITEM_ATTRIBUTES = {
  role: "treeitem",
  tabindex: -1,
  "aria-selected": "false",
} as const;

/** A tree that follows the ARIA pattern, with one tab stop. */
export class TreeView {
  readonly element: HTMLElement;
  readonly #actions: TreeViewActions;
  readonly #entries = new WeakMap<HTMLElement, TreeEntry>();
  readonly #typeAhead = new TypeAhead();
  /** Counts what was shown, so that a slow refresh takes the place of nothing newer. */
  #showCount = 0;

  constructor(actions: TreeViewActions) {
    this.#actions = actions;
    this.element = makeElement("ul", {
      role: "tree",
      "aria-labelledby": "tree-heading",
      class: "tree",
    });
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("dblclick", (event) => this.#open(findItem(event.target)));
    this.element.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Shows no tree. */
  clear(): void {
    this.#showCount += 1;
    this.element.replaceChildren();
  }

  /** Shows a newly mounted tree, with its root open. */
  async show(rootName: string): Promise<void> {
    this.#showCount += 1;
    const root: TreeEntry = { path: "", name: rootName, kind: "dir" };
    const line = this.#makeItem(root, 1, 1, 1);
    this.element.replaceChildren(line);
    const item = findItem(line.firstElementChild);
    if (item !== null) {
      item.tabIndex = 0;
      await this.#expand(item);
    }
  }

  /** Loads the shown tree again; the directories that are open, the selection and the focus stay. */
  async refresh(): Promise<void> {
    const first = this.element.querySelector<HTMLElement>('[role="treeitem"]');
    const root = first === null ? undefined : this.#entries.get(first);
    if (root === undefined) {
      return;
    }
    this.#showCount += 1;
    const show = this.#showCount;
    const open = new Set(this.#pathsOf('[aria-expanded="true"]'));
    const line = this.#makeItem(root, 1, 1, 1);
    for (const [item, { path }] of this.#itemsOf(line)) {
      if (open.has(path)) {
        await this.#expand(item);
      }
      if (show !== this.#showCount) {
        return;
      }
    }
    this.#replace(line);
  }

  /** Puts a newly loaded tree in place, with the selection and the focus of the old one. */
  #replace(line: HTMLElement): void {
    const selected = this.#pathsOf('[aria-selected="true"]');
    const [current] = this.#pathsOf('[tabindex="0"]');
    const hadFocus = this.element.contains(document.activeElement);
    const items = [...this.#itemsOf(line)];
    for (const [item, { path }] of items) {
      item.setAttribute("aria-selected", String(selected.includes(path)));
    }
    const [stop] = items.find(([, { path }]) => path === current) ?? items[0] ?? [];
    this.element.replaceChildren(line);
    if (stop !== undefined) {
      stop.tabIndex = 0;
      if (hadFocus) {
        stop.focus();
      }
    }
  }

  /** Yields the items of a tree, also those that appear meanwhile. */
  *#itemsOf(line: HTMLElement): Generator<readonly [HTMLElement, TreeEntry]> {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const entry = node instanceof HTMLElement ? this.#entries.get(node) : undefined;
      if (node instanceof HTMLElement && entry !== undefined) {
        yield [node, entry];
      }
    }
  }

  #pathsOf(selector: string): readonly string[] {
    const items = this.element.querySelectorAll<HTMLElement>(selector);
    return [...items].flatMap((item) => this.#entries.get(item)?.path ?? []);
  }

  /**
   * Returns a list item that holds the tree item and, after it, the group of its children.
   *
   * If the group were inside the tree item, screen readers would read it as part of the name.
   */
  #makeItem(entry: TreeEntry, level: number, position: number, total: number): HTMLLIElement {
    const name = makeElement("span", { class: "tree-name" });
    name.append(showName(entry.name));
    if (entry.kind === "link") {
      name.append(makeElement("span", { class: "visually-hidden" }, " (link)"));
    }
    const icon = makeIcon(entry.kind === "dir" ? "directory" : entry.kind);
    const row = makeElement("div", { class: "tree-row" }, icon, name);
    const place = { "aria-level": level, "aria-posinset": position, "aria-setsize": total };
    const item = makeElement("div", { ...ITEM_ATTRIBUTES, ...place }, row);
    if (entry.kind === "dir") {
      row.prepend(makeIcon("twist"));
      item.setAttribute("aria-expanded", "false");
    }
    this.#entries.set(item, entry);
    return makeElement("li", { role: "none" }, item);
  }

  async #expand(item: HTMLElement): Promise<void> {
    item.setAttribute("aria-expanded", "true");
    if (item.nextElementSibling === null) {
      const group = makeElement("ul", { role: "group" });
      item.after(group);
      await this.#loadInto(item, group, 0);
    }
  }

  async #loadInto(item: HTMLElement, group: HTMLElement, offset: number): Promise<void> {
    const entry = this.#entries.get(item);
    if (entry === undefined) {
      return;
    }
    const level = Number(item.getAttribute("aria-level")) + 1;
    item.setAttribute("aria-busy", "true");
    try {
      const { entries, totalEntries } = await this.#actions.loadPage(entry.path, offset);
      group.append(
        ...entries.map((child, index) =>
          this.#makeItem(child, level, offset + index + 1, totalEntries),
        ),
      );
      const shown = offset + entries.length;
      if (entries.length > 0 && shown < totalEntries) {
        group.append(this.#makeMore(item, group, shown, totalEntries, level));
      }
      if (totalEntries === 0) {
        group.append(makeElement("li", { role: "none", class: "tree-note" }, "empty"));
      }
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      group.append(makeElement("li", { role: "none", class: "tree-note" }, sentence));
    } finally {
      item.removeAttribute("aria-busy");
    }
  }

  #makeMore(
    parent: HTMLElement,
    group: HTMLElement,
    shown: number,
    totalEntries: number,
    level: number,
  ): HTMLElement {
    const text = `More (${formatCount(shown)} of ${formatCount(totalEntries)} shown)`;
    const attributes = { ...ITEM_ATTRIBUTES, class: "tree-more", "aria-level": level };
    const more = makeElement("div", attributes, makeElement("div", { class: "tree-row" }, text));
    const line = makeElement("li", { role: "none" }, more);
    more.addEventListener("click", async () => {
      const hadFocus = more === document.activeElement;
      const before = line.previousElementSibling;
      line.remove();
      await this.#loadInto(parent, group, shown);
      const next = before?.nextElementSibling?.firstElementChild;
      if (hadFocus && next instanceof HTMLElement) {
        this.#focus(next);
      }
    });
    return line;
  }

  #click(event: MouseEvent): void {
    const item = findItem(event.target);
    if (item === null) {
      return;
    }
    this.#focus(item);
    this.#select(item);
    // Ignore the second click of a double click, which would undo the first.
    if (event.detail < 2 && item.hasAttribute("aria-expanded")) {
      this.#toggle(item);
    }
  }

  #toggle(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") === "true") {
      item.setAttribute("aria-expanded", "false");
    } else {
      void this.#expand(item);
    }
  }

  #select(item: HTMLElement): void {
    const entry = this.#entries.get(item);
    if (entry === undefined) {
      return;
    }
    this.element.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
    this.#actions.onSelect(entry);
  }

  #open(item: HTMLElement | null): void {
    const entry = item === null ? undefined : this.#entries.get(item);
    if (entry !== undefined && entry.kind !== "dir") {
      this.#actions.onOpen(entry);
    }
  }

  #focus(item: HTMLElement): void {
    for (const old of this.element.querySelectorAll('[tabindex="0"]')) {
      old.setAttribute("tabindex", "-1");
    }
    item.tabIndex = 0;
    item.focus();
  }

  #press(event: KeyboardEvent): void {
    const item = findItem(event.target);
    if (item === null || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#activate(item, event.key === "Enter");
      return;
    }
    const isExpanded = item.getAttribute("aria-expanded");
    if (event.key === "ArrowRight" && isExpanded === "false") {
      event.preventDefault();
      void this.#expand(item);
      return;
    }
    if (event.key === "ArrowLeft" && isExpanded === "true") {
      event.preventDefault();
      item.setAttribute("aria-expanded", "false");
      return;
    }
    const target =
      moveInTree(this.element, item, event.key) ??
      this.#typeAhead.find(this.element, item, event.key);
    if (target !== null) {
      event.preventDefault();
      this.#focus(target);
    }
  }

  #activate(item: HTMLElement, isEnter: boolean): void {
    if (item.classList.contains("tree-more")) {
      item.click();
      return;
    }
    this.#select(item);
    if (isEnter && item.hasAttribute("aria-expanded")) {
      this.#toggle(item);
    } else if (isEnter) {
      this.#open(item);
    }
  }
}

function findItem(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[role="treeitem"]') : null;
}
