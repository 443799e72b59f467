/** Reads the entries from the data of an answer that lists a directory. */
import { escapePath } from "../lib/spelling.ts";
import type { AnsweredCall } from "./found-matches.ts";
import { isJsonObject } from "./json.ts";

/** The tools whose listing is data; that of `list_dir` is a text. */
export const LISTING_TOOLS: readonly string[] = ["LS", "list_directory"];

export type EntryKind = "dir" | "file" | "link" | "other";

/** Returns the kinds of the entries by their paths, which are relative to the listed directory. */
export function readEntries(
  answers: readonly Omit<AnsweredCall["result"], "content">[],
): ReadonlyMap<string, EntryKind> {
  const entries = new Map<string, EntryKind>();
  for (const { structuredContent } of answers.filter(({ isError }) => !isError)) {
    const answer = isJsonObject(structuredContent) ? structuredContent : {};
    const { entries: listed } = isJsonObject(answer.data) ? answer.data : answer;
    const prefix = findPrefix(answer.context);
    for (const entry of Array.isArray(listed) ? listed : []) {
      if (isJsonObject(entry) && typeof entry.path === "string") {
        const path = escapePath(entry.path);
        entries.set(path.startsWith(prefix) ? path.slice(prefix.length) : path, kindOf(entry.type));
      }
    }
  }
  return entries;
}

/** Returns the prefix of an envelope's paths: the directory as the tool resolved it, since it has many spellings. */
function findPrefix(context: unknown): string {
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
