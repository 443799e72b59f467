/** Words for the steps of a start, a mount and a tool call. */
import type { TimedProgressEvent } from "../index.ts";
import { formatBytes, formatCount, formatCounted } from "./format-quantities.ts";

export interface ProgressWords {
  readonly phase: string;
  /** The bytes or entries that are done; empty if the number would not help a reader. */
  readonly amount: string;
}

/** Returns the words for a step; null for `ready`, which needs no words. */
export function wordProgress({ phase, loaded, total }: TimedProgressEvent): ProgressWords | null {
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
    case "content":
      return { phase: "Fetching what the tool reads", amount: wordEntries(loaded, total) };
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
