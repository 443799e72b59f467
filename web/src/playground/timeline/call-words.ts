/** The words of the timeline about a call, and the sums at its foot. */

import { estimateTokens, sizeBytes } from "../../adapters/output-profile.ts";
import type { ToolResult } from "../../index.ts";
import { formatBytes, formatCount, formatCounted, formatMs } from "../../ui/format-quantities.ts";
import { escapeJson } from "../../ui/hostile-characters.ts";
import { parseJsonObject } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import type { CallItem, CallStanding } from "../state/timeline.ts";
import { findNote } from "../tool-notes.ts";

export interface Figures {
  readonly tokens: number;
  readonly bytes: number;
}

interface Totals extends Figures {
  readonly calls: number;
  readonly errors: number;
  readonly elapsedMs: number;
}

const MS_PER_SECOND = 1000;
const MAX_ARGUMENT_CHARACTERS = 80;

/** An answer is measured once: the sums are worded again after each call. */
const measured = new WeakMap<ToolResult, Figures>();

export function figuresOf(result: ToolResult): Figures {
  const { content } = result;
  const figures = measured.get(result) ?? {
    tokens: estimateTokens(content),
    bytes: sizeBytes(content),
  };
  measured.set(result, figures);
  return figures;
}

/** Said of arguments that are no JSON object. */
export const NOT_AN_OBJECT =
  "This is not a JSON object. It is sent as it is, and the tool reports the error.";

/** Returns what is sent of a call, without what the timeline knows about it. */
export function callOf({ toolName, argumentsText, maxOutputBytes }: CallText): CallText {
  return { toolName, argumentsText, maxOutputBytes };
}

/** Tells whether a call has the error by which its tool's design answers for an empty file. */
export function isOfEmptyFile({ toolName, argumentsText }: CallText, result: ToolResult): boolean {
  const { offset = 1 } = parseJsonObject(argumentsText) ?? {};
  const isPastEnd = result.isError && result.content === "offset exceeds file length";
  return toolName === "read_file" && offset === 1 && isPastEnd;
}

/** Returns what tells calls of a tool apart: a path, `TODO in src`, or the files of a patch. */
export function mainArgument({ toolName, argumentsText }: CallText): string {
  const values = parseJsonObject(argumentsText);
  if (values === null) {
    return shorten(argumentsText);
  }
  const path = values[findNote(toolName)?.pathArgument ?? "path"];
  const { pattern } = values;
  if (typeof pattern === "string") {
    return shorten(typeof path === "string" ? `${pattern} in ${path}` : pattern);
  }
  const first = Object.values(values).find((value) => typeof value === "string");
  const main = typeof path === "string" ? path : first;
  return shorten(typeof main === "string" ? (patchedFiles(main) ?? main) : "");
}

/** Returns the first file of a patch of any family, and how many there are besides. */
function patchedFiles(text: string): string | null {
  const [first, ...others] = text.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File:|F) (.+)$/gm);
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return first === undefined ? null : `${first[1]}${more}`;
}

function shorten(text: string): string {
  const [line = ""] = escapeJson(text).split("\n", 1);
  return line.length > MAX_ARGUMENT_CHARACTERS
    ? `${line.slice(0, MAX_ARGUMENT_CHARACTERS)}…`
    : line;
}

/** Says who reads an error, and by which name the tool's design knows it. */
export function wordError({ error }: ToolResult): string {
  const read = "The model reads this error.";
  return error === null || error.kind === "UnknownTool"
    ? read
    : `${read} The tool's design calls it ${error.kind}.`;
}

/** Says whether an answer is whole, and whether a further call continues it. */
export function wordPart({ truncated, nextArguments }: ToolResult): string {
  if (!truncated) {
    return "complete";
  }
  return nextArguments === null ? "part of it" : "part of it: more follows";
}

export function wordRunning(elapsedMs: number, amount: string): string {
  const seconds = `running ${formatCount(Math.floor(elapsedMs / MS_PER_SECOND))} s`;
  return amount === "" ? seconds : `${seconds} · ${amount}`;
}

/** Returns the figures of an answer as the words of its line. */
export function wordFigures(result: ToolResult): readonly string[] {
  return [formatCounted(figuresOf(result).tokens, "token"), formatMs(result.elapsedMs)];
}

/** Returns the sentence that a screen reader speaks when a call has ended; "" while it runs. */
export function wordEnd(toolName: string, standing: CallStanding): string {
  switch (standing.kind) {
    case "running":
      return "";
    case "stopped":
      return `${toolName} was stopped`;
    case "failed":
      return `${toolName} failed: ${standing.sentence}`;
    case "answered": {
      const { result } = standing;
      const more = result.truncated ? `, ${wordPart(result)}` : "";
      return result.isError
        ? `${toolName} answered with an error`
        : `${toolName} answered: ${wordFigures(result).join(", ")}${more}`;
    }
  }
}

/** Sums the calls that have ended with an answer; `calls` counts all. */
export function totalsOf(calls: readonly CallItem[]): Totals {
  const standings = calls.map(({ standing }) => standing.value);
  const results = standings.flatMap((each) => (each.kind === "answered" ? [each.result] : []));
  const figures = results.map(figuresOf);
  return {
    calls: calls.length,
    errors:
      results.filter(({ isError }) => isError).length +
      standings.filter(({ kind }) => kind === "failed").length,
    tokens: sum(figures.map(({ tokens }) => tokens)),
    bytes: sum(figures.map(({ bytes }) => bytes)),
    elapsedMs: sum(results.map(({ elapsedMs }) => elapsedMs)),
  };
}

export function wordTotals({ calls, errors, tokens, bytes, elapsedMs }: Totals): string {
  return [
    formatCounted(calls, "call"),
    formatCounted(errors, "error"),
    formatCounted(tokens, "token"),
    formatBytes(bytes),
    formatMs(elapsedMs),
  ].join(" · ");
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
