/** Reads the entries from a tool's answers. */

import type { ToolResult } from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";
import { isJsonObject } from "../../page-parts/json.ts";
import type { CallRecord } from "../state/call-record.ts";
import { findMatches } from "../timeline/answer/found-matches.ts";

/** The tools that list a directory. */
export const LISTING_TOOLS = ["list_dir", "LS", "list_directory"] as const;
type ListingTool = (typeof LISTING_TOOLS)[number];

/** The tools that search a directory for a pattern. */
export const SEARCHING_TOOLS = ["grep_files", "Grep", "Search"] as const;

export type EntryKind = "dir" | "file" | "link" | "other";

/** Kinds by path; paths are relative to the compared directory, as the tools spell them. */
export type ListedEntries = ReadonlyMap<string, EntryKind>;

/**
 * Returns the entries in a tool's successive answers.
 *
 * @param known paths from another tool's data: a text alone does not tell a link `a` from a file `a@`.
 */
export function readEntries(
  tool: ListingTool,
  answers: readonly ToolResult[],
  known: ReadonlySet<string> = new Set(),
): ListedEntries {
  const given = answers.filter(({ isError }) => !isError);
  switch (tool) {
    case "list_dir":
      return readLines(given.flatMap(linesOf), known);
    case "LS":
      return readListed(
        given,
        (envelope) => (isJsonObject(envelope) ? envelope.data : null),
        findPrefix,
      );
    case "list_directory":
      return readListed(
        given,
        (listing) => listing,
        () => "",
      );
  }
}

/** Returns the files that the answers of a search name, from the searched directory on. */
export function readFound(pages: readonly CallRecord[], directory: string): ListedEntries {
  const prefix = directory === "" ? "" : `${directory}/`;
  const paths = pages.flatMap((page) => findMatches(page) ?? []).map(({ path }) => path);
  return new Map(
    paths.map((path) => [path.startsWith(prefix) ? path.slice(prefix.length) : path, "file"]),
  );
}

function readListed(
  answers: readonly ToolResult[],
  listingOf: (structuredContent: unknown) => unknown,
  prefixOf: (structuredContent: unknown) => string,
): ListedEntries {
  const entries = new Map<string, EntryKind>();
  for (const { structuredContent } of answers) {
    const prefix = prefixOf(structuredContent);
    const listing = listingOf(structuredContent);
    const listed = isJsonObject(listing) && Array.isArray(listing.entries) ? listing.entries : [];
    for (const entry of listed) {
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

/** Returns the lines about entries: without the first line, and without the last one of a cut answer. */
function linesOf({ content, truncated }: ToolResult): string[] {
  const lines = content.split("\n").slice(1);
  return truncated ? lines.slice(0, -1) : lines;
}

const INDENT = "  ";
const SUFFIXES: readonly (readonly [string, EntryKind])[] = [
  ["/", "dir"],
  ["@", "link"],
  ["?", "other"],
];

function readLines(lines: readonly string[], known: ReadonlySet<string>): ListedEntries {
  const entries = new Map<string, EntryKind>();
  /** The possible parent directories of the next line, outermost first. */
  let parents: readonly string[] = [];
  for (const line of lines) {
    const readings = readingsOf(line, parents);
    const [likeliest] = readings;
    const reading = readings.find(({ path }) => known.has(path)) ?? likeliest;
    if (reading !== undefined) {
      const { path, kind, depth } = reading;
      entries.set(path, kind);
      parents = [...parents.slice(0, depth), ...(kind === "dir" ? [path] : [])];
    }
  }
  return entries;
}

interface Reading {
  readonly path: string;
  readonly kind: EntryKind;
  readonly depth: number;
}

/** Returns the possible readings of a line, likeliest first: a name may contain spaces and suffixes. */
function readingsOf(line: string, parents: readonly string[]): readonly Reading[] {
  const readings: Reading[] = [];
  for (let depth = parents.length; depth >= 0; depth -= 1) {
    if (!line.startsWith(INDENT.repeat(depth))) {
      continue;
    }
    const name = line.slice(INDENT.length * depth);
    const above = depth === 0 ? "" : `${parents[depth - 1] ?? ""}/`;
    const suffix = SUFFIXES.find(([text]) => name.endsWith(text));
    if (suffix !== undefined) {
      readings.push({ path: above + name.slice(0, -1), kind: suffix[1], depth });
    }
    readings.push({ path: above + name, kind: "file", depth });
  }
  return readings;
}
