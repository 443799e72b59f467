/** The one action of the page that has the accent: a screen has one at most. */

import { offeredLink } from "./sources/link-offer.tsx";
import { draftTool } from "./state/call-draft.ts";
import type { PageState } from "./state/page-state.ts";
import { isTourOffered, stepsDone } from "./tour/tour-progress.ts";
import { TOUR_STEPS } from "./tour/tour-steps.ts";

/** To decide is to answer a question: a link, a call of a model, or a proposed change. */
export type LeadingAction = "decide" | "tour" | "run";

/** Returns the action that comes next: an open question comes before what a visitor may begin. */
export function leadingAction(page: PageState): LeadingAction {
  const isAsked = page.timeline.items.value.some(
    (item) => item.kind === "consent" && item.isAllowed.value === null,
  );
  const isUndecided = page.changes.value.entries.some(({ decision }) => decision === "pending");
  const isTouring = stepsDone.value !== null && stepsDone.value < TOUR_STEPS.length;
  if (offeredLink.value !== null || isAsked || (isUndecided && !isTouring)) {
    return "decide";
  }
  const isInTour = stepsDone.value !== null;
  return isInTour || (isTourOffered(page) && draftTool.value === "") ? "tour" : "run";
}

/** Returns the class of a button: the accent if its action leads. */
export function accentOf(page: PageState, action: LeadingAction): string {
  return leadingAction(page) === action ? "primary" : "";
}
