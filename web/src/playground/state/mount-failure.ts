/** Words the failure of a mount for visitors; the client's own messages address its callers. */

import { TreeglassError } from "../../index.ts";
import { formatBytes, formatCount } from "../../ui/format-quantities.ts";
import type { LinkedTree } from "./linked-tree.ts";

/** The page's limits for a whole tree; entries over the client's other limits are only skipped. */
export const PAGE_LIMITS = {
  maxEntries: 1_000_000,
  maxTotalBytes: 4 * 1024 ** 3,
  maxCompressionRatio: 1000,
} as const;

const OVER_LIMIT: Readonly<Record<keyof typeof PAGE_LIMITS, string>> = {
  maxEntries: `It holds more than ${formatCount(PAGE_LIMITS.maxEntries)} files and folders, the most that this page mounts. Choose a part of it.`,
  maxTotalBytes: `It is larger than ${formatBytes(PAGE_LIMITS.maxTotalBytes)}, the most that this page mounts. Choose a part of it.`,
  maxCompressionRatio: `It unpacks to more than ${formatCount(PAGE_LIMITS.maxCompressionRatio)} times its size, like an archive that is made to do harm. If you trust it, unpack it and choose the folder.`,
};

/** Parts of a message that visitors do not need: one the page has already said, one only a caller can do. */
const NOT_FOR_VISITORS = [/^\S+ cannot be mounted: /, /, or mount the file itself with files/];

/** Advice about an address, which the visitor of a package has not typed. */
const ABOUT_ADDRESS = /check the address and your connection, and .+ \(CORS\)/;

/** `link` is that of the tree, if it has one. */
export function explainMountFailure(error: unknown, link?: LinkedTree): string {
  const told = error instanceof Error ? error.message : String(error);
  const message =
    link?.kind === "npm" || link?.kind === "github"
      ? told.replace(ABOUT_ADDRESS, "check your connection, and whether something blocks that host")
      : told;
  if (!(error instanceof TreeglassError)) {
    return message;
  }
  return error.name === "LimitExceeded"
    ? explainLimit(message)
    : NOT_FOR_VISITORS.reduce((sentence, words) => sentence.replace(words, ""), message);
}

/** Replaces the client's advice to raise a limit, since a visitor cannot. */
function explainLimit(message: string): string {
  const name = /\blimits\.(\w+)/.exec(message)?.[1] ?? "";
  return new Map(Object.entries(OVER_LIMIT)).get(name) ?? message;
}
