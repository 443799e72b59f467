/** The entries that a tool has shown, read back from its answers. */

import type { ToolResult } from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";
import { isJsonObject } from "../../page-parts/json.ts";
import type { ListingTool } from "./comparison.ts";

export type EntryKind = "dir" | "file" | "link" | "other";

/** Kinds by path below the compared directory, as the tools spell it. */
export type ListedEntries = ReadonlyMap<string, EntryKind>;

/**
 * Returns what a tool has shown in answers that follow one another.
 *
 * @param known paths that another tool gives as data: a text leaves open whether `a@` is a link `a`.
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

function readListed(
  answers: readonly ToolResult[],
  listingOf: (structured: unknown) => unknown,
  prefixOf: (structured: unknown) => string,
): ListedEntries {
  const entries = new Map<string, EntryKind>();
  for (const { structured } of answers) {
    const prefix = prefixOf(structured);
    const listing = listingOf(structured);
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

/** Returns what an envelope's paths begin with. As the tool has resolved it: many spellings lead there. */
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

/** Returns the lines that stand for entries: not the first, nor the last of an answer that was cut. */
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
  /** The directories that the next line may stand in, outermost first. */
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

/** Returns what a line may mean, the likeliest first: blanks and suffixes may be part of a name. */
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
