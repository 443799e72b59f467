/** Lists the mounted tree through the tool `LS`, in pages of one directory. */
import type { TreeglassClient } from "../index.ts";
import { escapePath } from "../lib/spelling.ts";
import { isJsonObject } from "./json.ts";

export type TreeEntryKind = "dir" | "file" | "link";

export interface TreeEntry {
  /** Path below the mount, with `/` between names; "" is the mount itself. */
  readonly path: string;
  readonly name: string;
  readonly kind: TreeEntryKind;
}

export interface TreePage {
  readonly entries: readonly TreeEntry[];
  /** The number of entries in the whole directory. */
  readonly totalEntries: number;
}

/** The most entries that `LS` returns at once. */
const PAGE_ENTRIES = 200;

/** Several times what a page of the longest names needs. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Returns the entries of a directory from `offset` on.
 *
 * @throws Error with the tool's own sentence when it cannot list the directory.
 */
export async function loadTreePage(
  client: TreeglassClient,
  path: string,
  offset: number,
): Promise<TreePage> {
  const call = {
    path: path === "" ? "." : escapePath(path),
    offset,
    limit: PAGE_ENTRIES,
    include_hidden: true,
  };
  const result = await client.callTool("LS", call, { maxOutputBytes: PAGE_BYTES });
  if (result.isError) {
    throw new Error(result.error?.message ?? result.content);
  }
  return readPage(result.structuredContent);
}

function readPage(envelope: unknown): TreePage {
  const listing = isJsonObject(envelope) ? envelope.data : null;
  const stats = isJsonObject(envelope) ? envelope.stats : null;
  const listed = isJsonObject(listing) && Array.isArray(listing.entries) ? listing.entries : [];
  const entries = listed.flatMap((entry: unknown) => {
    const path = isJsonObject(entry) ? entry.path : null;
    if (!isJsonObject(entry) || typeof path !== "string") {
      return [];
    }
    const kind: TreeEntryKind = entry.type === "dir" || entry.type === "link" ? entry.type : "file";
    return [{ path, name: path.slice(path.lastIndexOf("/") + 1), kind }];
  });
  const total = isJsonObject(stats) ? stats.total_entries : null;
  return { entries, totalEntries: typeof total === "number" ? total : entries.length };
}
