/** Why a tree was not mounted, in the visitor's words: the client's are for those who call it. */

import { TreeglassError } from "../index.ts";

const NO_ARCHIVE = "It is not a zip archive. Choose a zip archive, or a folder.";

/** What zip and gzip start with; the client has a sentence of its own for gzip. */
const ARCHIVE_STARTS = ["PK", "\u001f\u008b"];

/** Returns a sentence; `archive` is the file that was chosen as an archive, if one was. */
export async function explainMountFailure(error: unknown, archive: Blob | null): Promise<string> {
  const isUnreadable = error instanceof TreeglassError && error.kind === "SourceUnreadable";
  if (isUnreadable && archive !== null && !(await startsLikeArchive(archive))) {
    return NO_ARCHIVE;
  }
  return error instanceof Error ? error.message : String(error);
}

async function startsLikeArchive(archive: Blob): Promise<boolean> {
  try {
    const bytes = new Uint8Array(await archive.slice(0, 2).arrayBuffer());
    return ARCHIVE_STARTS.includes(String.fromCharCode(...bytes));
  } catch {
    // It was moved or is not allowed to be read: whether it is an archive cannot be told.
    return true;
  }
}
