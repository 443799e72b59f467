/** The items of a timeline as values that a database can hold. */

import { signal } from "@preact/signals";
import type { PageState } from "./page-state.ts";
import type { Author, CallStanding, TextItem, TimelineItem } from "./timeline.ts";

export type KeptItem =
  | { readonly kind: TextItem["kind"]; readonly by: Author; readonly text: string }
  | { readonly kind: "review"; readonly by: Author }
  | {
      readonly kind: "call";
      readonly by: Author;
      readonly toolName: string;
      readonly argumentsText: string;
      readonly maxOutputBytes: number | null;
      readonly standing: CallStanding;
    };

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
export function restoreItems(page: PageState, items: readonly KeptItem[]): void {
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
