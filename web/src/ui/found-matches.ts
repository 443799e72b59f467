/** Reads the matches of a search from its answer. */
import { isRecord } from "../lib/checks.ts";
import { escapePath } from "../lib/spelling.ts";
import { parseJsonObject } from "./json.ts";

/** A call with its answer. */
export interface AnsweredCall {
  readonly toolName: string;
  /** JSON. */
  readonly argumentsText: string;
  readonly result: {
    readonly content: string;
    readonly isError: boolean;
    readonly structuredContent: unknown;
  };
  /** The path at which the tree of the call is mounted. */
  readonly mountPath: string;
}

/** A file that a search has found, or a line in it. */
export interface FoundMatch {
  /** Relative to the mount, as the tools spell it. */
  readonly path: string;
  /** Counted from 1; null if the answer names the file alone. */
  readonly line: number | null;
  readonly text: string;
  /** The parts of the text that match, by their places in it. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** Returns what a search has found; null for another tool, an error, or an answer of another form. */
export function findMatches({
  toolName,
  argumentsText,
  result,
  mountPath,
}: AnsweredCall): readonly FoundMatch[] | null {
  if (result.isError) {
    return null;
  }
  switch (toolName) {
    case "grep_files":
      return result.content.split("\n").flatMap((line) => toFile(line, mountPath));
    case "Glob":
      return listOf(result.structuredContent, "paths")?.flatMap(toPath) ?? null;
    case "Grep": {
      const mark = literalMarker(parseJsonObject(argumentsText) ?? {});
      return (
        listOf(result.structuredContent, "matches")?.flatMap((match) => toLine(match, mark)) ?? null
      );
    }
    case "Search":
      return readSearch(parseJsonObject(result.content), mountPath);
    default:
      return null;
  }
}

function listOf(structured: unknown, name: string): readonly unknown[] | null {
  const data = isRecord(structured) ? structured.data : null;
  const list = isRecord(data) ? data[name] : null;
  return Array.isArray(list) ? list : null;
}

/** Other lines of the answer are sentences. */
function toFile(line: string, mountPath: string): readonly FoundMatch[] {
  const path = below(mountPath, line);
  return path === null ? [] : [fileAt(path)];
}

function toPath(path: unknown): readonly FoundMatch[] {
  return typeof path === "string" ? [fileAt(escapePath(path))] : [];
}

function fileAt(path: string): FoundMatch {
  return { path, line: null, text: "", marks: [] };
}

function toLine(match: unknown, mark: (text: string) => FoundMatch["marks"]): FoundMatch[] {
  if (!isRecord(match) || typeof match.file !== "string") {
    return [];
  }
  const { line, text } = match;
  return typeof line === "number" && typeof text === "string"
    ? [{ path: escapePath(match.file), line, text, marks: mark(text) }]
    : [fileAt(escapePath(match.file))];
}

/** The paths of its matches are relative to the directory that it has searched. */
function readSearch(
  answer: Readonly<Record<string, unknown>> | null,
  mountPath: string,
): FoundMatch[] | null {
  if (typeof answer?.path !== "string" || !Array.isArray(answer.matches)) {
    return null;
  }
  const root = answer.path === mountPath ? "" : below(mountPath, answer.path);
  const prefix = root === null || root === "" ? "" : `${escapePath(root)}/`;
  return answer.matches.flatMap((match) => toSearchMatch(match, prefix));
}

function toSearchMatch(match: unknown, prefix: string): readonly FoundMatch[] {
  const data = isRecord(match) ? match.data : null;
  if (!isRecord(data) || !isRecord(data.path) || !isRecord(data.lines)) {
    return [];
  }
  const { line_number: line, column, match_text: matched } = data;
  const [path, text] = [data.path.text, data.lines.text];
  if (typeof path !== "string" || typeof line !== "number" || typeof text !== "string") {
    return [];
  }
  const start = typeof column === "number" ? placeOf(text, column) : 0;
  const isThere = typeof matched === "string" && matched !== "" && text.startsWith(matched, start);
  const marks = isThere ? [[start, start + matched.length] as const] : [];
  return [{ path: `${prefix}${escapePath(path)}`, line, text, marks }];
}

/** Returns the place in a text of a column, which counts bytes of UTF-8 from 1. */
function placeOf(text: string, column: number): number {
  const bytes = new TextEncoder().encode(text).subarray(0, column - 1);
  return new TextDecoder().decode(bytes).length;
}

const WORDS = /^(?:[^\\^$.*+?()[\]{}]|\\[\\^$.*+?()[\]{}|])+$/;

/**
 * Returns a function that finds a pattern of words in a line.
 *
 * The answer has no columns, and a pattern of another dialect may take JavaScript for ever: a
 * pattern that is more than words, escaped signs and `|` marks nothing.
 */
function literalMarker(args: Readonly<Record<string, unknown>>) {
  const { pattern } = args;
  const isWords = typeof pattern === "string" && WORDS.test(pattern);
  const words = isWords ? pattern.split(/(?<!\\)\|/).filter((word) => word !== "") : [];
  if (words.length === 0) {
    return () => [];
  }
  const finder = new RegExp(words.join("|"), args["-i"] === true ? "giu" : "gu");
  return (text: string): FoundMatch["marks"] =>
    Array.from(text.matchAll(finder), (found) => [found.index, found.index + found[0].length]);
}

/** Returns a path relative to the mount; null for one outside. */
function below(mountPath: string, path: string): string | null {
  return path.startsWith(`${mountPath}/`) ? path.slice(mountPath.length + 1) : null;
}
