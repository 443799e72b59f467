/** Reads the entries from a tool's answers. */

import type { ToolResult } from "../../index.ts";
import { findMatches } from "../../ui/found-matches.ts";
import { type EntryKind, type ListedEntries, readListing } from "../../ui/listed-entries.ts";
import type { CallRecord } from "../state/call-record.ts";
import { MOUNT_PATH } from "../tool-notes.ts";

/** The tools that list a directory. */
export const LISTING_TOOLS = ["list_dir", "LS", "list_directory"] as const;
type ListingTool = (typeof LISTING_TOOLS)[number];

/** The tools that search a directory for a pattern. */
export const SEARCHING_TOOLS = ["grep_files", "Grep", "Search"] as const;

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
  if (tool !== "list_dir") {
    return readListing(tool, answers);
  }
  const given = answers.filter(({ isError }) => !isError);
  return readLines(given.flatMap(linesOf), known);
}

/** Returns the files that the answers of a search name, from the searched directory on. */
export function readFound(pages: readonly CallRecord[], directory: string): ListedEntries {
  const prefix = directory === "" ? "" : `${directory}/`;
  const paths = pages
    .flatMap((page) => findMatches({ ...page, mountPath: MOUNT_PATH }) ?? [])
    .map(({ path }) => path);
  return new Map(
    paths.map((path) => [path.startsWith(prefix) ? path.slice(prefix.length) : path, "file"]),
  );
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
