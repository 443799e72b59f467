/** The progress of the tour, which several parts of the page tell. */

import { signal } from "@preact/signals";
import type { PageState } from "../state/page-state.ts";

/** The number of steps that have run; null while no tour runs. */
export const stepsDone = signal<number | null>(null);

export function isTourOffered(page: PageState): boolean {
  return stepsDone.value === null && page.timeline.items.value.length === 0;
}
