/** A comparison: one directory, and the arguments that three tools get to list or to search it. */

import { type JsonObject, renderJson } from "../../page-parts/json.ts";
import { findNote, MOUNT_PATH, spellPath } from "../tool-notes.ts";

/** The tools that list a directory, in the order of their columns. */
export const LISTING_TOOLS = ["list_dir", "LS", "list_directory"] as const;
export type ListingTool = (typeof LISTING_TOOLS)[number];

/** The tools that search a directory, in the same order. */
export const SEARCHING_TOOLS = ["grep_files", "Grep", "Search"] as const;
export type SearchingTool = (typeof SEARCHING_TOOLS)[number];

export type ComparedTool = ListingTool | SearchingTool;

export interface Comparison {
  /** What to search for; "" lists the directory. */
  readonly pattern: string;
  /** Relative to the mount, as the tools spell it; "" is the mount itself. */
  readonly directory: string;
  /** The number of levels; null uses each tool's own default. */
  readonly depth: number | null;
  /** Whether to ask for hidden entries, for tools that omit them by default. */
  readonly includeHidden: boolean;
  /** Each answer's maximum size in UTF-8 bytes; null uses the configured one. */
  readonly maxOutputBytes: number | null;
}

/** The whole tree, with each tool's own defaults. */
export const FIRST_COMPARISON: Comparison = {
  pattern: "",
  directory: "",
  depth: null,
  includeHidden: false,
  maxOutputBytes: null,
};

/** The depths on offer. */
export const DEPTHS = [1, 2, 3, 5, 10] as const;

/** Returns the tools that a comparison calls. */
export function toolsOf({ pattern }: Comparison): readonly ComparedTool[] {
  return pattern === "" ? LISTING_TOOLS : SEARCHING_TOOLS;
}

/** Returns the arguments for a tool; omits a setting that the tool has no argument for. */
export function renderArguments(tool: ComparedTool, comparison: Comparison): string {
  return renderJson({ ...placeOf(tool, comparison.directory), ...scopeOf(tool, comparison) });
}

function placeOf(tool: ComparedTool, directory: string): JsonObject {
  const note = findNote(tool);
  if (note === undefined) {
    throw new Error(`the page has no notes on the tool ${tool}`);
  }
  // Pass a path outside the mount unchanged: each tool refuses it in its own way.
  const isElsewhere = directory.startsWith("/");
  return { [note.pathArgument]: isElsewhere ? directory : spellPath(note, directory) };
}

function scopeOf(tool: ComparedTool, { pattern, depth, includeHidden }: Comparison): JsonObject {
  const hidden: JsonObject = includeHidden ? { include_hidden: true } : {};
  switch (tool) {
    case "list_dir":
      return depth === null ? {} : { depth };
    case "LS":
      return hidden;
    case "list_directory": {
      const levels = depth === null || depth === 1 ? {} : { recursive: true, max_depth: depth };
      return { ...levels, ...hidden };
    }
    case "grep_files":
    case "Grep":
    case "Search":
      return { pattern };
  }
}

/** Adds a comparison to the parameters of an address's fragment; the inverse of `readComparison`. */
export function writeComparison(comparison: Comparison, to: URLSearchParams): void {
  const { pattern, directory, depth, includeHidden, maxOutputBytes } = comparison;
  to.set("compare", directory);
  if (pattern !== "") {
    to.set("compare_pattern", pattern);
  }
  if (depth !== null) {
    to.set("compare_depth", String(depth));
  }
  if (includeHidden) {
    to.set("compare_hidden", "true");
  }
  if (maxOutputBytes !== null) {
    to.set("compare_max_output_bytes", String(maxOutputBytes));
  }
}

/** Returns the comparison that an address's fragment names; null if it names none. */
export function readComparison(parameters: URLSearchParams): Comparison | null {
  const directory = parameters.get("compare");
  if (directory === null) {
    return null;
  }
  const depth = readCount(parameters.get("compare_depth"));
  return {
    pattern: parameters.get("compare_pattern") ?? "",
    directory,
    depth: DEPTHS.find((offered) => offered === depth) ?? null,
    includeHidden: parameters.get("compare_hidden") === "true",
    maxOutputBytes: readCount(parameters.get("compare_max_output_bytes")),
  };
}

/** Returns the whole number that a text spells; null if it is not a whole number. */
export function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Returns a directory as the page shows it: with the mount path. */
export function spellDirectory(directory: string): string {
  if (directory.startsWith("/")) {
    return directory;
  }
  return directory === "" ? MOUNT_PATH : `${MOUNT_PATH}/${directory}`;
}

/** Returns a directory as a comparison names it; the inverse of `spellDirectory`. */
export function readDirectory(typed: string): string {
  if (typed === MOUNT_PATH || typed === "." || typed === `${MOUNT_PATH}/`) {
    return "";
  }
  const below = typed.startsWith(`${MOUNT_PATH}/`) ? typed.slice(MOUNT_PATH.length + 1) : typed;
  return below.length > 1 ? below.replace(/\/$/, "") : below;
}
