/** Lists the changes: first those that act by themselves when exported. */
import { makeElement } from "../../page-parts/make-element.ts";
import { type FileActions, FileItem } from "./file-item.ts";
import type { Change } from "./reviewed-client.ts";

/** A file with more changed lines is closed until the reader opens it. */
const MAX_OPEN_LINES = 500;
/** As many files open by themselves, while they have that many lines together. */
const MAX_OPEN_FILES = 20;

const ACTING = "These act by themselves when exported";
const ACTING_NOTE =
  "Programs run or obey such files without being asked, so look at every line of them.";

/** Keeps the item of a path as long as the path is changed. */
export class FileList {
  readonly element: HTMLElement;
  readonly #actions: FileActions;
  readonly #acting: HTMLElement;
  readonly #others: HTMLElement;
  #items = new Map<string, FileItem>();

  constructor(actions: FileActions) {
    this.#actions = actions;
    this.#acting = makeSection(
      makeElement("h3", { id: "acting" }, ACTING),
      makeElement("p", { class: "quiet" }, ACTING_NOTE),
    );
    this.#others = makeSection(makeElement("h3", { id: "others" }, "Other changes"));
    this.element = makeElement("div", { class: "files" }, this.#acting, this.#others);
  }

  /** The paths that the reader leaves out of the export. */
  get leftOut(): string[] {
    return [...this.#items].flatMap(([path, { isLeftOut }]) => (isLeftOut ? [path] : []));
  }

  item(path: string): FileItem | undefined {
    return this.#items.get(path);
  }

  /** Shows the changes; lines of opened files are loaded again, at `path` or at all paths. */
  async show(changes: readonly Change[], path: string | null): Promise<void> {
    const isFirst = this.#items.size === 0;
    const focused = this.#focusedIndex();
    const before = this.#items;
    this.#items = new Map(
      changes.map((change) => [
        change.path,
        before.get(change.path) ?? new FileItem(change, this.#actions),
      ]),
    );
    this.#arrange(changes);
    this.#keepFocus(focused);
    for (const change of changes) {
      const known = before.get(change.path);
      await known?.update(change, path === null || path === change.path);
    }
    if (isFirst) {
      await this.#openFirst();
    }
  }

  /** Opens every file but the large ones. */
  async openAll(): Promise<void> {
    for (const item of this.#inOrder()) {
      if (!item.isOpen && linesOf(item.change) <= MAX_OPEN_LINES) {
        await item.open();
      }
    }
  }

  closeAll(): void {
    for (const item of this.#items.values()) {
      item.close();
    }
  }

  async #openFirst(): Promise<void> {
    let lines = 0;
    for (const item of this.#inOrder().slice(0, MAX_OPEN_FILES)) {
      lines += linesOf(item.change);
      if (lines > MAX_OPEN_LINES) {
        return;
      }
      await item.open();
    }
  }

  /** Returns the items as they stand on the page. */
  #inOrder(): FileItem[] {
    const items = [...this.#items.values()];
    return [...items.filter(doesAct), ...items.filter((item) => !doesAct(item))];
  }

  #arrange(changes: readonly Change[]): void {
    const hasActing = changes.some(({ flags }) => flags.includes("acts"));
    const items = changes.flatMap(({ path, flags }) => {
      const item = this.#items.get(path);
      return item === undefined ? [] : [{ element: item.element, acts: flags.includes("acts") }];
    });
    fill(
      this.#acting,
      items.flatMap(({ element, acts }) => (acts ? [element] : [])),
    );
    fill(
      this.#others,
      items.flatMap(({ element, acts }) => (acts ? [] : [element])),
    );
    const heading = this.#others.querySelector("h3");
    heading?.classList.toggle("visually-hidden", !hasActing);
  }

  #focusedIndex(): number {
    return this.#inOrder().findIndex(({ element }) => element.matches(":focus-within"));
  }

  /** Moves the focus of an item that has gone to the one in its place. */
  #keepFocus(index: number): void {
    if (index >= 0 && !this.element.matches(":focus-within")) {
      const items = this.#inOrder();
      (items[index] ?? items.at(-1))?.focus();
    }
  }
}

function doesAct({ change }: FileItem): boolean {
  return change.flags.includes("acts");
}

function linesOf({ added, removed }: Change): number {
  return added + removed;
}

function makeSection(heading: HTMLHeadingElement, ...rest: readonly HTMLElement[]): HTMLElement {
  const list = makeElement("ul", { class: "list" });
  return makeElement("section", { "aria-labelledby": heading.id }, heading, ...rest, list);
}

/** Puts items into the list of a section; only those that stand elsewhere move. */
function fill(section: HTMLElement, items: readonly HTMLElement[]): void {
  const list = section.querySelector("ul");
  const wanted = new Set<Element>(items);
  for (const child of [...(list?.children ?? [])]) {
    if (!wanted.has(child)) {
      child.remove();
    }
  }
  items.forEach((item, index) => {
    const there = list?.children[index] ?? null;
    if (there !== item) {
      list?.insertBefore(item, there);
    }
  });
  section.hidden = items.length === 0;
}
