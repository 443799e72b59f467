/** Lists the mounted tree, again after each change of it, and keeps which directories are open. */

import { computed, effect, signal } from "@preact/signals";
import type { Change } from "../../index.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { pathBelowMount } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";
import { virtualPath } from "../tool-notes.ts";
import { type FilteredRows, TreeIndex, type TreeRow, withDirectories } from "./tree-index.ts";

/** Entries of one request: twice as many stop the page for a tenth of a second. */
const PAGE_ENTRIES = 10_000;

/** A tree of more entries is shown in part; the tools see all of it. */
const MAX_ENTRIES = 500_000;

const EMPTY = new TreeIndex();

export class ListedTree {
  readonly index = signal(EMPTY);
  /** A remark on the listing for the visitor; empty if it is whole. */
  readonly remark = signal("");
  readonly filter = signal("");
  readonly open = signal<ReadonlySet<string>>(new Set());
  /** The changes by path below the mount. */
  readonly changes = computed<ReadonlyMap<string, Change>>(
    () => new Map(this.#page.changes.value.entries.map((change) => [below(change.path), change])),
  );
  readonly filtered = computed<FilteredRows>(() =>
    this.filter.value === ""
      ? { rows: this.index.value.rows(this.open.value), isCut: false }
      : this.index.value.rowsWith(this.filter.value),
  );
  readonly rows = computed<readonly TreeRow[]>(() => this.filtered.value.rows);
  readonly #page: PageState;
  #treeNumber = 0;
  #lastListing = 0;

  constructor(page: PageState) {
    this.#page = page;
    effect(() => {
      const number = page.tree.value?.number ?? 0;
      // Each step of the proposals may create or delete files.
      const version = page.changes.value.version;
      if (number > 0 && (number !== this.#treeNumber || version > 0)) {
        void this.#list(number);
      }
    });
  }

  toggle(path: string, isOpen = !this.open.value.has(path)): void {
    const open = new Set(this.open.value);
    if (isOpen) {
      open.add(path);
    } else {
      open.delete(path);
    }
    this.open.value = open;
  }

  /** Opens a path, if it is a directory, and the directories above it. */
  reveal(path: string): void {
    // Peeked, so that an effect that reveals does not open again what the visitor closes.
    this.open.value = new Set([...this.open.peek(), ...withDirectories(path)]);
  }

  async #list(number: number): Promise<void> {
    this.#lastListing += 1;
    const listing = this.#lastListing;
    if (number !== this.#treeNumber) {
      this.#treeNumber = number;
      this.open.value = new Set();
      this.filter.value = "";
      this.index.value = EMPTY;
    }
    const index = new TreeIndex();
    let remark = "";
    try {
      remark = await this.#collect(index, () => listing === this.#lastListing);
    } catch (error) {
      remark = `The tree cannot be listed: ${sentenceOf(error)}`;
    }
    if (listing === this.#lastListing) {
      const deleted = this.#page.changes.value.entries.filter(
        ({ operation, kind }) => operation === "delete" && kind !== "directory",
      );
      index.add(deleted.map(({ path, kind }) => ({ path: below(path), kind })));
      this.index.value = index;
      this.remark.value = remark;
    }
  }

  /** Adds each page of entries as it arrives; returns a remark on what is missing. */
  async #collect(index: TreeIndex, isWanted: () => boolean): Promise<string> {
    const client = await this.#page.client();
    let after: string | null = null;
    let unreadable = 0;
    do {
      const options = { recursive: true, limit: PAGE_ENTRIES };
      const listed = await client.listEntries(virtualPath(""), { ...options, after });
      index.add(listed.entries.map(({ path, kind }) => ({ path: below(path), kind })));
      unreadable += listed.unreadable.length;
      after = listed.next;
    } while (after !== null && index.entryCount < MAX_ENTRIES && isWanted());
    const cut = after === null ? "" : `Only the first ${index.entryCount} entries are shown.`;
    const closed = unreadable === 0 ? "" : `${unreadable} directories cannot be listed.`;
    return [cut, closed].filter((sentence) => sentence !== "").join(" ");
  }
}

function below(path: string): string {
  return pathBelowMount(path) ?? path;
}
