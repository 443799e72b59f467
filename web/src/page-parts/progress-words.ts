/** Describes the progress in words. */

import type { ProgressEvent } from "../index.ts";
import { formatBytes, formatCount, formatCounted } from "./format-quantities.ts";

export interface ProgressWords {
  readonly phase: string;
  /** The progress in bytes or entries, or an empty text. */
  readonly amount: string;
}

/** Returns the words for a step; null for a step without words. */
export function wordProgress({ phase, loaded, total }: ProgressEvent): ProgressWords | null {
  switch (phase) {
    case "runtime":
      return { phase: "Loading Python", amount: "" };
    case "packages":
      return { phase: "Loading packages", amount: "" };
    case "fetch":
      return { phase: "Downloading", amount: wordBytes(loaded, total) };
    case "unpack":
      return { phase: "Unpacking", amount: wordBytes(loaded, total) };
    case "index":
      return { phase: "Listing", amount: wordEntries(loaded, total) };
    case "mount":
      return { phase: "Mounting", amount: "" };
    case "ready":
      return null;
  }
}

function wordBytes(loaded: number, total: number | undefined): string {
  const bytes = formatBytes(loaded);
  return total === undefined ? bytes : `${bytes} of ${formatBytes(total)}`;
}

function wordEntries(loaded: number, total: number | undefined): string {
  return total === undefined
    ? formatCounted(loaded, "entry", "entries")
    : `${formatCount(loaded)} of ${formatCounted(total, "entry", "entries")}`;
}
