/** Why a tree was not mounted, in the visitor's words: the client's are for those who call it. */

import { TreeglassError } from "../index.ts";
import { startsLikeArchive } from "./archive-start.ts";
import { formatBytes, formatCount } from "./format-quantities.ts";

/** What the page mounts at most; the limits of the client that are not named here only skip entries. */
export const PAGE_LIMITS = {
  maxEntries: 1_000_000,
  maxTotalBytes: 4 * 1024 ** 3,
} as const;

const NO_ARCHIVE = "It is no archive that can be opened. Choose a zip or tar archive, or a folder.";

const OVER_LIMIT: Readonly<Record<keyof typeof PAGE_LIMITS, string>> = {
  maxEntries: `It holds more than ${formatCount(PAGE_LIMITS.maxEntries)} files and folders, the most that this page mounts. Choose a part of it.`,
  maxTotalBytes: `Its files are more than ${formatBytes(PAGE_LIMITS.maxTotalBytes)} together, the most that this page mounts. Choose a part of it.`,
};

/** Returns a sentence; `archive` is the file that was chosen as an archive, if one was. */
export async function explainMountFailure(error: unknown, archive: Blob | null): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof TreeglassError)) {
    return message;
  }
  if (error.kind === "LimitExceeded") {
    return explainLimit(message);
  }
  if (error.kind === "SourceUnreadable" && archive !== null && !(await mayBeArchive(archive))) {
    return NO_ARCHIVE;
  }
  return message;
}

function explainLimit(message: string): string {
  if (message.includes("maxEntries")) {
    return OVER_LIMIT.maxEntries;
  }
  return message.includes("maxTotalBytes") ? OVER_LIMIT.maxTotalBytes : message;
}

async function mayBeArchive(archive: Blob): Promise<boolean> {
  try {
    return await startsLikeArchive(archive);
  } catch {
    // It was moved or is not allowed to be read: whether it is an archive cannot be told.
    return true;
  }
}
