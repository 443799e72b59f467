/** Reads an answer for a person: the matches of a search by file, the entries of a listing, or text. */

import type { ToolResult } from "../../../index.ts";
import { isJsonObject, parseJsonObject } from "../../../page-parts/json.ts";
import type { CallText } from "../../state/call-record.ts";
import { pathBelowMount } from "../../state/marks.ts";
import { findNote } from "../../tool-notes.ts";
import { type FoundMatch, findMatches } from "./found-matches.ts";
import { type EntryKind, LISTING_TOOLS, readEntries } from "./listed-entries.ts";

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
export function readRows(call: CallText, result: ToolResult): readonly AnswerRow[] {
  const matches = findMatches({ ...call, result }) ?? [];
  return matches.length > 0 ? groupByFile(matches) : readListing(call, result);
}

/** Returns the text for a person: the sentence of an error, or the text that some tools put in JSON. */
export function readText({ content, structuredContent, error }: ToolResult): string {
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
function readListing(call: CallText, result: ToolResult): readonly AnswerRow[] {
  const { toolName, argumentsText } = call;
  const note = findNote(toolName);
  if (result.isError || !LISTING_TOOLS.includes(toolName)) {
    return [];
  }
  const spelled = parseJsonObject(argumentsText)?.[note?.pathArgument ?? ""] ?? ".";
  const directory = typeof spelled === "string" ? pathBelowMount(spelled) : null;
  const prefix = directory === null || directory === "" ? "" : `${directory}/`;
  return Array.from(readEntries([result]), ([name, kind]) => ({
    path: prefix + name,
    name,
    kind,
    lines: [],
  }));
}
