/** The work on a tree: its timeline, its proposals and its open file, as a reload brings them back. */

import { signal } from "@preact/signals";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import type { CallText } from "../../ui/literals.ts";
import type { OpenFile } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";
import type { Author, CallStanding, TextItem, TimelineItem } from "../state/timeline.ts";

type KeptItem =
  | { readonly kind: TextItem["kind"]; readonly by: Author; readonly text: string }
  | { readonly kind: "review"; readonly by: Author }
  | (CallText & { readonly kind: "call"; readonly by: Author; readonly standing: CallStanding });

export interface KeptWork {
  readonly items: readonly KeptItem[];
  readonly openFile: OpenFile | null;
  /** The proposals; in base64 for a storage that takes only texts. */
  readonly state: Uint8Array | string | null;
}

/** True while kept work is brought back; what the page shows until then must not replace it. */
export const isComingBack = signal(false);

/** Resolves with the work on the mounted tree, as it is now. */
export async function takeWork(page: PageState): Promise<KeptWork> {
  const { version } = page.changes.value;
  return {
    items: keepItems(page.timeline.items.value),
    openFile: page.openFile.value,
    state: version === 0 ? null : await (await page.client()).saveState(),
  };
}

/** Puts the work on the tree that is mounted now in the place of the present work. */
export async function bringBackWork(page: PageState, work: KeptWork): Promise<void> {
  isComingBack.value = true;
  // It comes back once.
  page.bringBack = async () => undefined;
  try {
    await restoreProposals(page, work.state);
    showWork(page, work);
  } catch {
    // It is damaged, or another release of the page wrote it.
    page.timeline.clear();
    page.showReview("you");
    page.refusal.value = "The earlier calls on this tree were not brought back.";
  } finally {
    isComingBack.value = false;
  }
}

async function restoreProposals(page: PageState, state: KeptWork["state"]): Promise<void> {
  try {
    if (state !== null) {
      const bytes = typeof state === "string" ? fromBase64(state) : state;
      await (await page.client()).restoreState(bytes);
      await page.refreshChanges();
    }
  } catch (error) {
    page.refusal.value = `The proposed changes were not brought back: ${sentenceOf(error)}`;
  }
}

/** Said below a conversation that comes back. */
const FORGOTTEN = "The page was loaded again, so a model knows nothing of the conversation above.";

function showWork(page: PageState, work: KeptWork): void {
  page.timeline.items.value = [];
  restoreItems(page, work.items);
  // It is not kept whether a file was read before it changed or after that.
  page.marks.forget(page.changes.value.steps.flatMap(({ paths }) => paths));
  const last = (is: (item: KeptItem) => boolean) => work.items.map(is).lastIndexOf(true);
  const told = last((item) => item.kind === "note" && item.text === FORGOTTEN);
  if (last(({ kind }) => kind === "question") > told) {
    page.timeline.addText("note", "model", FORGOTTEN);
  }
  if (work.items.every(({ kind }) => kind !== "review")) {
    // The page was left between a change and its review.
    page.showReview("you");
  }
  page.openFile.value = work.openFile;
  page.section.value = work.items.length === 0 ? "file" : "calls";
}

/** Returns the work as a value for JSON. */
export function spellWork({ state, ...work }: KeptWork): KeptWork {
  return { ...work, state: state instanceof Uint8Array ? toBase64(state) : state };
}

/** Returns the items that have ended; a question of consent is not kept. */
export function keepItems(items: readonly TimelineItem[]): readonly KeptItem[] {
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
