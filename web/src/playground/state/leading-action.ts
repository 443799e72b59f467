/** The one action of the page that has the accent, and what decides it: a screen has one at most. */

import { signal } from "@preact/signals";
import { draftTool } from "./call-draft.ts";
import type { LinkedTree } from "./linked-tree.ts";
import type { PageState } from "./page-state.ts";

export interface OfferedLink {
  readonly link: LinkedTree;
  readonly accept: () => void;
  readonly dismiss: () => void;
}

/** The question about a tree that an address names; null without one. */
export const offeredLink = signal<OfferedLink | null>(null);

/** The number of the tour's steps that have run; null while no tour runs. */
export const tourProgress = signal<{
  readonly stepsDone: number;
  readonly isOver: boolean;
} | null>(null);

export function isTourOffered(page: PageState): boolean {
  return tourProgress.value === null && page.timeline.items.value.length === 0;
}

/** To decide is to answer a question: a link, a call of a model, or a proposed change. */
export type LeadingAction = "decide" | "tour" | "run";

/** Returns the action that comes next: an open question comes before what a visitor may begin. */
export function leadingAction(page: PageState): LeadingAction {
  const isAsked = page.timeline.items.value.some(
    (item) => item.kind === "consent" && item.isAllowed.value === null,
  );
  const isUndecided = page.changes.value.entries.some(({ decision }) => decision === "pending");
  const isTouring = tourProgress.value?.isOver === false;
  if (offeredLink.value !== null || isAsked || (isUndecided && !isTouring)) {
    return "decide";
  }
  const isInTour = tourProgress.value !== null;
  return isInTour || (isTourOffered(page) && draftTool.value === "") ? "tour" : "run";
}

/** Returns the class of a button: the accent if its action leads. */
export function accentOf(page: PageState, action: LeadingAction): string {
  return leadingAction(page) === action ? "primary" : "";
}
