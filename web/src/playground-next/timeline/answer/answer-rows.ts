/** Reads an answer for a person: the matches of a search by file, the entries of a listing, or text. */

import type { ToolResult } from "../../../index.ts";
import { isJsonObject, parseJsonObject } from "../../../page-parts/json.ts";
import type { CallText } from "../../../playground/call-record.ts";
import { type EntryKind, readEntries } from "../../../playground/compare/listed-entries.ts";
import { type FoundMatch, findMatches } from "../../../playground/found-matches.ts";
import { findNote } from "../../../playground/tool-notes.ts";
import { pathBelowMount } from "../../state/marks.ts";

/** A file with the lines that a search has found in it; no lines if the answer names the file alone. */
export interface FoundFile {
  readonly path: string;
  readonly lines: readonly FoundMatch[];
}

/** An entry of a listing; the path is below the mount. */
export interface ListedRow {
  readonly path: string;
  readonly name: string;
  readonly kind: EntryKind;
}

/** What a person sees of an answer. */
export type AnswerRows =
  | { readonly kind: "matches"; readonly files: readonly FoundFile[]; readonly hiddenCount: number }
  | { readonly kind: "entries"; readonly rows: readonly ListedRow[]; readonly hiddenCount: number }
  | { readonly kind: "text"; readonly text: string };

/** More rows would make the page slow; the text has them all. */
const MAX_ROWS = 500;

export function readAnswer(call: CallText, result: ToolResult): AnswerRows {
  if (result.isError) {
    return { kind: "text", text: result.error?.message ?? result.content };
  }
  const matches = findMatches({ ...call, result }) ?? [];
  if (matches.length > 0) {
    const shown = matches.slice(0, MAX_ROWS);
    const hiddenCount = matches.length - shown.length;
    return { kind: "matches", files: groupByFile(shown), hiddenCount };
  }
  const rows = readListing(call, result);
  return rows.length > 0
    ? { kind: "entries", rows: rows.slice(0, MAX_ROWS), hiddenCount: rows.slice(MAX_ROWS).length }
    : { kind: "text", text: readableText(result) };
}

function groupByFile(matches: readonly FoundMatch[]): readonly FoundFile[] {
  const files = new Map<string, FoundMatch[]>();
  for (const match of matches) {
    const lines = files.get(match.path) ?? [];
    files.set(match.path, match.line === null ? lines : [...lines, match]);
  }
  return Array.from(files, ([path, lines]) => ({ path, lines }));
}

/** A listing of codex is a text with indents, which a person reads as it is. */
function readListing({ toolName, argumentsText }: CallText, result: ToolResult): ListedRow[] {
  const note = findNote(toolName);
  if ((toolName !== "LS" && toolName !== "list_directory") || note === undefined) {
    return [];
  }
  const spelled = parseJsonObject(argumentsText)?.[note.pathArgument] ?? ".";
  const directory = typeof spelled === "string" ? pathBelowMount(spelled) : null;
  if (directory === null) {
    return [];
  }
  const prefix = directory === "" ? "" : `${directory}/`;
  return Array.from(readEntries(toolName, [result]), ([name, kind]) => ({
    path: prefix + name,
    name,
    kind,
  }));
}

/** Returns the text for a person: some tools send it as one string in JSON. */
function readableText({ content, structuredContent }: ToolResult): string {
  const data = isJsonObject(structuredContent) ? structuredContent.data : null;
  return isJsonObject(data) && typeof data.content === "string" ? data.content : content;
}
