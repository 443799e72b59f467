/** Keeps the tree, the timeline and the proposals in the browser, so that a reload finds them. */

import { computed, effect, signal } from "@preact/signals";
import { createStore, del, get, set } from "idb-keyval";
import { escapePath } from "../../lib/spelling.ts";
import { parseJsonObject } from "../../ui/json.ts";
import { keepText, readKept } from "../shell/kept-text.ts";
import { writeLink } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";
import {
  type DeviceSource,
  type DeviceTree,
  deviceTree,
  isDeviceTree,
  keptBytes,
} from "./device-trees.ts";
import { becomeKeeper, isKeeper, stopKeeping } from "./keeping-tab.ts";
import {
  bringBackWork,
  isComingBack,
  type KeptWork,
  keepItems,
  spellWork,
  takeWork,
} from "./kept-work.ts";
import { SAMPLES } from "./samples.ts";

/** Larger trees are not kept. */
const MAX_KEPT_BYTES = 200 * 1024 * 1024;

/** After a pause this long in the changes of the page, it is saved. */
const SAVE_DELAY_MS = 500;

const CHOICE_KEY = "treeglass-keep";
const TREE_KEY = "page";
const LOST_KEY = "treeglass-lost-tree";
const TAB_KEY = "treeglass-work";

interface KeptTree {
  readonly name: string;
  readonly device: DeviceSource;
}

/** The work on a tree that comes back by its address; the tab forgets it when it is closed. */
export interface TabWork {
  readonly tree: string;
  readonly work: KeptWork;
}

/** True if the visitor wants trees to be kept; null before the first answer. */
export const keeps = signal<boolean | null>(readChoice());

/** The tree whose record is in the browser. */
let keptTree: DeviceTree | null = null;

// A choice holds for all tabs.
window.addEventListener("storage", () => {
  keeps.value = readChoice();
});

function readChoice(): boolean | null {
  return { yes: true, no: false }[readKept(CHOICE_KEY) ?? ""] ?? null;
}

export function chooseToKeep(isWanted: boolean): void {
  keeps.value = isWanted;
  keepText(CHOICE_KEY, isWanted ? "yes" : "no");
  if (!isWanted) {
    void forgetPage();
  }
}

async function forgetPage(): Promise<void> {
  keptTree = null;
  await del(TREE_KEY, store()).catch(() => undefined);
  await del("work", store()).catch(() => undefined);
}

/** Returns the device tree of the page, if it can be kept. */
export function keepable(page: PageState): DeviceTree | null {
  const choice = page.tree.value?.choice;
  return isDeviceTree(choice) && (keptBytes(choice.device) ?? 0) <= MAX_KEPT_BYTES ? choice : null;
}

/** Says which tree a reload has lost; "" if it has lost none, or the visitor wanted none kept. */
export function wordLostTree(): string {
  const name = readKept(LOST_KEY, "sessionStorage");
  return name === null ? "" : `${escapePath(name)} was not kept. Open it again.`;
}

/** Returns the name of the tree, if nothing leads back to it after a reload. */
function nameOfLost(page: PageState): string | null {
  const choice = page.tree.value?.choice;
  const comesBack = nameInTab(page) !== null || keeps.value === false || isKept(page);
  return choice === undefined || comesBack ? null : choice.name;
}

function isKept(page: PageState): boolean {
  return isKeeper.value && wantedTree(page) !== null;
}

/** Returns the tree that the visitor wants to be kept. */
function wantedTree(page: PageState): DeviceTree | null {
  return keeps.value === true ? keepable(page) : null;
}

/** Keeps the tree of the page, or forgets the one that this tab has kept. */
async function keepTree(page: PageState): Promise<void> {
  const tree = wantedTree(page);
  if (tree === null) {
    if (isKeeper.value) {
      await forgetPage();
      stopKeeping();
    }
  } else if (!(await becomeKeeper())) {
    page.refusal.value ||=
      "Another tab keeps a tree in this browser, so this one and its calls are not kept.";
  } else if (tree !== keptTree) {
    // First without the work, which is that of another tree.
    await forgetPage();
    keptTree = tree;
    const { name, device } = tree;
    await set(TREE_KEY, { name, device } satisfies KeptTree, store()).catch(() => undefined);
  }
}

/** Names a sample or a linked tree, whose work is kept in the tab; null for any other tree. */
function nameInTab(page: PageState): string | null {
  const choice = page.tree.value?.choice;
  if (choice?.link !== undefined) {
    return writeLink(choice.link).toString();
  }
  return choice !== undefined && SAMPLES.includes(choice) ? choice.name : null;
}

/** Saves the page after each change, and has the browser ask before proposals are lost. */
export function keepPage(page: PageState): void {
  let keeping = Promise.resolve();
  const wanted = computed(() => wantedTree(page));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved = "";
  const standing = () => `${page.tree.value?.number} ${page.changes.value.version}`;
  const save = async () => {
    const begun = standing();
    saved = (await saveWork(page)) ? begun : "";
  };
  effect(() => {
    keepText(LOST_KEY, nameOfLost(page), "sessionStorage");
  });
  effect(() => {
    void wanted.value;
    keeping = keeping.then(() => keepTree(page));
  });
  effect(() => {
    if (page.tree.value !== null && nameInTab(page) === null) {
      // Its work is over: a reload must not bring it back in the place of this tree.
      keepText(TAB_KEY, null, "sessionStorage");
    }
  });
  effect(() => {
    // Read here, so that a change of each of them starts the pause again.
    void [keepItems(page.timeline.items.value), standing(), page.openFile.value, isKept(page)];
    clearTimeout(timer);
    if (!isComingBack.value) {
      timer = setTimeout(() => void save(), SAVE_DELAY_MS);
    }
  });
  window.addEventListener("beforeunload", (event) => {
    if (page.changes.value.entries.length > 0 && saved !== standing()) {
      event.preventDefault();
    }
  });
}

/** Resolves with whether a reload finds the work. */
async function saveWork(page: PageState): Promise<boolean> {
  const tree = page.tree.value;
  const name = nameInTab(page);
  const isWanted = () => name !== null || isKept(page);
  if (!isWanted()) {
    return false;
  }
  const work = await takeWork(page);
  // Meanwhile the visitor may have opened another tree, or chosen to keep none.
  if (tree !== page.tree.value || !isWanted()) {
    return false;
  }
  if (name !== null) {
    const kept: TabWork = { tree: name, work: spellWork(work) };
    // A text that does not fit must not leave the earlier one in its place.
    keepText(TAB_KEY, null, "sessionStorage");
    return keepText(TAB_KEY, JSON.stringify(kept), "sessionStorage");
  }
  return set("work", work, store()).then(
    () => true,
    () => false,
  );
}

/** Returns the work that this tab had before a reload or a return; null if it had none. */
export function readTabWork(): TabWork | null {
  const [visit] = performance.getEntriesByType("navigation");
  const isReturn =
    visit instanceof PerformanceNavigationTiming &&
    (visit.type === "reload" || visit.type === "back_forward");
  const text = isReturn ? readKept(TAB_KEY, "sessionStorage") : null;
  // This page wrote it, so the compiler may believe what the object holds.
  return parseJsonObject(text ?? "") as TabWork | null;
}

/** Brings the work back if it was done on the tree that is mounted now. */
export async function bringBackTabWork(page: PageState, kept: TabWork | null): Promise<void> {
  if (kept !== null && kept.tree === nameInTab(page)) {
    await bringBackWork(page, kept.work);
  }
}

/** Opens what was kept; resolves with false if nothing was, or if it cannot be opened. */
export async function reopenPage(page: PageState): Promise<boolean> {
  if (keeps.value !== true) {
    return false;
  }
  const record = await get<KeptTree>(TREE_KEY, store()).catch(() => undefined);
  const work = await get<KeptWork>("work", store()).catch(() => undefined);
  if (record === undefined) {
    return false;
  }
  const tree = deviceTree(record.name, record.device);
  keptTree = tree;
  page.bringBack = async () => {
    if (work !== undefined && page.tree.value?.choice === tree) {
      await bringBackWork(page, work);
    }
  };
  // So that a tree that cannot be opened is forgotten once another one takes its place.
  await becomeKeeper();
  return page.mount(tree);
}

function store() {
  return createStore("treeglass-playground", "kept");
}
