/** Reads an answer for a person: the matches of a search by file, the entries of a listing, or text. */
import type { ToolResult } from "../index.ts";
import { type AnsweredCall, type FoundMatch, findMatches } from "./found-matches.ts";
import { isJsonObject, parseJsonObject } from "./json.ts";
import { type EntryKind, LISTING_TOOLS, readEntries } from "./listed-entries.ts";
import { pathBelow } from "./path-below.ts";

/** An entry that an answer names. */
export interface AnswerRow {
  /** The path below the mount. */
  readonly path: string;
  /** The path as the answer spells it. */
  readonly name: string;
  readonly kind: EntryKind;
  /** The lines that a search has found in it. */
  readonly lines: readonly FoundMatch[];
}

/** Returns the entries that an answer names; an empty list for an answer that is a text. */
export function readRows(call: AnsweredCall): readonly AnswerRow[] {
  const matches = findMatches(call) ?? [];
  return matches.length > 0 ? groupByFile(matches) : rowsOfListing(call);
}

/** Returns the words for a search in JSON that has found nothing; null for every other answer. */
export function wordNoMatches(call: AnsweredCall): string | null {
  const isEmpty = findMatches(call)?.length === 0;
  return isEmpty && parseJsonObject(call.result.content) !== null ? "No matches found." : null;
}

/** Returns the text for a person: the sentence of an error, or the text that some tools put in JSON. */
export function readText({
  content,
  structuredContent,
  error,
}: Omit<AnsweredCall["result"], "isError"> & Pick<ToolResult, "error">): string {
  const data = isJsonObject(structuredContent) ? structuredContent.data : null;
  const inside = isJsonObject(data) && typeof data.content === "string" ? data.content : content;
  return error?.message ?? inside;
}

function groupByFile(matches: readonly FoundMatch[]): readonly AnswerRow[] {
  const files = new Map<string, FoundMatch[]>();
  for (const match of matches) {
    const lines = files.get(match.path) ?? [];
    files.set(match.path, match.line === null ? lines : [...lines, match]);
  }
  return Array.from(files, ([path, lines]) => ({ path, name: path, kind: "file", lines }));
}

/** A listing of codex is a text with indents, which a person reads as it is. */
function rowsOfListing(call: AnsweredCall): readonly AnswerRow[] {
  const { toolName, argumentsText, result, mountPath } = call;
  if (!LISTING_TOOLS.includes(toolName)) {
    return [];
  }
  const spelled = parseJsonObject(argumentsText)?.path ?? ".";
  const directory = typeof spelled === "string" ? pathBelow(mountPath, spelled) : null;
  const prefix = directory === null || directory === "" ? "" : `${directory}/`;
  return Array.from(readEntries([result]), ([name, kind]) => ({
    path: prefix + name,
    name,
    kind,
    lines: [],
  }));
}
