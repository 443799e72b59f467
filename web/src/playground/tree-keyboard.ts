/** The keys of the ARIA tree pattern: which item each one moves the focus to. */

const FIRST_CHILD = ':scope > ul > li > [role="treeitem"]';
const COLLAPSED_GROUP = '[aria-expanded="false"] + ul';
const TYPE_AHEAD_PAUSE_MS = 1000;

/** Returns the item that a key moves to; null if the tree does not use the key or there is no item. */
export function moveInTree(tree: HTMLElement, item: HTMLElement, key: string): HTMLElement | null {
  const items = listVisibleItems(tree);
  const index = items.indexOf(item);
  switch (key) {
    case "ArrowDown":
      return items[index + 1] ?? null;
    case "ArrowUp":
      return items[index - 1] ?? null;
    case "Home":
      return items[0] ?? null;
    case "End":
      return items.at(-1) ?? null;
    case "ArrowRight":
      return item.parentElement?.querySelector<HTMLElement>(FIRST_CHILD) ?? null;
    case "ArrowLeft":
      return findParent(item);
    default:
      return null;
  }
}

/** Finds the next item whose name begins with the letters just typed. */
export class TypeAhead {
  #typed = "";
  #lastTyped = 0;
  #found: HTMLElement | null = null;

  find(tree: HTMLElement, item: HTMLElement, key: string): HTMLElement | null {
    if (Array.from(key).length !== 1) {
      return null;
    }
    const now = performance.now();
    // After a pause or a move of the focus, a new word begins.
    if (now - this.#lastTyped > TYPE_AHEAD_PAUSE_MS || item !== this.#found) {
      this.#typed = "";
    }
    this.#lastTyped = now;
    this.#typed += key.toLowerCase();
    const items = listVisibleItems(tree);
    // One letter moves to the next item; a longer word may match the current one.
    const start = items.indexOf(item) + (this.#typed.length === 1 ? 1 : 0);
    const inTurn = [...items.slice(start), ...items.slice(0, start)];
    const found = inTurn.find((candidate) => readName(candidate).startsWith(this.#typed));
    this.#found = found ?? item;
    return found ?? null;
  }
}

function listVisibleItems(tree: HTMLElement): HTMLElement[] {
  const items = tree.querySelectorAll<HTMLElement>('[role="treeitem"]');
  return Array.from(items).filter((item) => item.closest(COLLAPSED_GROUP) === null);
}

/** An item is in a list item, which is in a group; the parent item precedes that group. */
function findParent(item: HTMLElement): HTMLElement | null {
  const owner = item.closest("ul")?.previousElementSibling;
  return owner instanceof HTMLElement ? owner : null;
}

function readName(item: HTMLElement): string {
  return item.querySelector(".tree-name")?.textContent.toLowerCase() ?? "";
}
