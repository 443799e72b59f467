/** Keeps the tree, the timeline and the proposals in the browser, so that a reload finds them. */

import { effect, signal } from "@preact/signals";
import { createStore, del, get, set } from "idb-keyval";
import { escapePath } from "../../lib/spelling.ts";
import type { CallText } from "../../ui/literals.ts";
import { keepText, readKept } from "../shell/kept-text.ts";
import type { OpenFile, PageState } from "../state/page-state.ts";
import type { Author, CallStanding, TextItem, TimelineItem } from "../state/timeline.ts";
import {
  type DeviceSource,
  type DeviceTree,
  deviceTree,
  isDeviceTree,
  keptBytes,
} from "./device-trees.ts";
import { SAMPLES } from "./samples.ts";

/** Larger trees are not kept. */
const MAX_KEPT_BYTES = 200 * 1024 * 1024;

/** After a pause this long in the changes of the page, it is saved. */
const SAVE_DELAY_MS = 500;

const CHOICE_KEY = "treeglass-keep";
const TREE_KEY = "page";
const LOST_KEY = "treeglass-lost-tree";

type KeptItem =
  | { readonly kind: TextItem["kind"]; readonly by: Author; readonly text: string }
  | { readonly kind: "review"; readonly by: Author }
  | (CallText & { readonly kind: "call"; readonly by: Author; readonly standing: CallStanding });

interface KeptTree {
  readonly name: string;
  readonly device: DeviceSource;
}

interface KeptWork {
  readonly items: readonly KeptItem[];
  readonly openFile: OpenFile | null;
  readonly state: Uint8Array | null;
}

/** True if the visitor wants trees to be kept; null before the first answer. */
export const keeps = signal<boolean | null>(
  { yes: true, no: false }[readKept(CHOICE_KEY) ?? ""] ?? null,
);

export function chooseToKeep(isWanted: boolean): void {
  keeps.value = isWanted;
  keepText(CHOICE_KEY, isWanted ? "yes" : "no");
  if (!isWanted) {
    void forgetPage();
  }
}

async function forgetPage(): Promise<void> {
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
  const comesBack =
    choice === undefined ||
    choice.link !== undefined ||
    SAMPLES.includes(choice) ||
    keeps.value === false ||
    (keeps.value === true && keepable(page) !== null);
  return comesBack ? null : choice.name;
}

/** Saves the page after each change, while the visitor wants it. */
export function keepPage(page: PageState): void {
  let keptTree = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => keepText(LOST_KEY, nameOfLost(page), "sessionStorage"));
  effect(() => {
    const tree = page.tree.value;
    const kept = keepable(page);
    if (keeps.value === true && tree !== null && tree.number !== keptTree) {
      keptTree = tree.number;
      const record: KeptTree | null = kept && { name: kept.name, device: kept.device };
      void set(TREE_KEY, record, store()).catch(() => undefined);
    }
  });
  effect(() => {
    // Read here, so that each of them starts the pause again.
    const items = page.timeline.items.value.map((item) =>
      item.kind === "call" ? item.standing.value : item,
    );
    const version = page.changes.value.version;
    const openFile = page.openFile.value;
    if (keeps.value === true && (items.length > 0 || openFile !== null)) {
      clearTimeout(timer);
      timer = setTimeout(() => void saveWork(page, version), SAVE_DELAY_MS);
    }
  });
}

async function saveWork(page: PageState, version: number): Promise<void> {
  const state = version === 0 ? null : await (await page.client()).saveState();
  const work: KeptWork = {
    items: keepItems(page.timeline.items.value),
    openFile: page.openFile.value,
    state,
  };
  await set("work", work, store()).catch(() => undefined);
}

/** Opens what was kept; resolves with false if nothing was, or if it cannot be opened. */
export async function reopenPage(page: PageState): Promise<boolean> {
  if (keeps.value !== true) {
    return false;
  }
  const tree = await get<KeptTree | null>(TREE_KEY, store()).catch(() => null);
  const work = await get<KeptWork>("work", store()).catch(() => undefined);
  if (!tree || !(await page.mount(deviceTree(tree.name, tree.device)))) {
    return false;
  }
  if (work !== undefined) {
    if (work.state !== null) {
      await (await page.client()).restoreState(work.state);
      await page.refreshChanges();
    }
    page.timeline.items.value = [];
    restoreItems(page, work.items);
    page.openFile.value = work.openFile;
  }
  return true;
}

function store() {
  return createStore("treeglass-playground", "kept");
}

/** Returns the items that have ended; a question of consent is not kept. */
function keepItems(items: readonly TimelineItem[]): readonly KeptItem[] {
  return items.flatMap((item): readonly KeptItem[] => {
    switch (item.kind) {
      case "consent":
        return [];
      case "review":
        return [{ kind: "review", by: item.by }];
      case "call": {
        const { by, toolName, argumentsText, maxOutputBytes } = item;
        const standing = item.standing.value;
        return standing.kind === "running"
          ? []
          : [{ kind: "call", by, toolName, argumentsText, maxOutputBytes, standing }];
      }
      default:
        return [{ kind: item.kind, by: item.by, text: item.text.value }];
    }
  });
}

/** Adds kept items to the timeline, as calls of the tree that is mounted now. */
function restoreItems(page: PageState, items: readonly KeptItem[]): void {
  const tree = page.tree.value;
  for (const item of items) {
    if (item.kind === "review") {
      page.timeline.addReview(item.by);
    } else if (item.kind !== "call") {
      page.timeline.addText(item.kind, item.by, item.text);
    } else {
      const { standing, ...call } = item;
      page.timeline.add({
        ...call,
        treeNumber: tree?.number ?? 0,
        treeName: tree?.choice.name ?? "",
        startedAtMs: 0,
        standing: signal(standing),
        isChosen: signal(false),
        stop: () => undefined,
      } as const);
      if (standing.kind === "answered") {
        page.marks.learn(call, standing.result);
      }
    }
  }
}
