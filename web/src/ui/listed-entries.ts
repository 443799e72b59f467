/** The entries in the answers of the tools that list one directory as JSON. */

import { escapePath } from "../lib/spelling.ts";
import type { AnsweredCall } from "./found-matches.ts";
import { isJsonObject } from "./json.ts";

export type EntryKind = "dir" | "file" | "link" | "other";

/** Kinds by path; paths are relative to the listed directory, as the tools spell them. */
export type ListedEntries = ReadonlyMap<string, EntryKind>;

/** Returns the entries of successive answers; an error has none. */
export function readListing(
  tool: "LS" | "list_directory",
  answers: readonly Pick<AnsweredCall["result"], "isError" | "structuredContent">[],
): ListedEntries {
  const isEnveloped = tool === "LS";
  const entries = new Map<string, EntryKind>();
  for (const { isError, structuredContent } of answers) {
    const data = isJsonObject(structuredContent) ? structuredContent.data : null;
    const listing = isEnveloped ? data : structuredContent;
    const prefix = isEnveloped ? findPrefix(structuredContent) : "";
    const listed = isJsonObject(listing) && Array.isArray(listing.entries) ? listing.entries : [];
    for (const entry of isError ? [] : listed) {
      if (isJsonObject(entry) && typeof entry.path === "string") {
        const path = escapePath(entry.path);
        entries.set(path.startsWith(prefix) ? path.slice(prefix.length) : path, kindOf(entry.type));
      }
    }
  }
  return entries;
}

/** Returns the prefix of an envelope's paths: the directory as the tool resolved it, since it has many spellings. */
function findPrefix(envelope: unknown): string {
  const context = isJsonObject(envelope) ? envelope.context : null;
  const resolved = isJsonObject(context) ? context.path_resolved : null;
  return typeof resolved !== "string" || resolved === "." ? "" : `${escapePath(resolved)}/`;
}

function kindOf(type: unknown): EntryKind {
  switch (type) {
    case "dir":
    case "file":
    case "link":
      return type;
    case "symlink":
      return "link";
    default:
      return "other";
  }
}
