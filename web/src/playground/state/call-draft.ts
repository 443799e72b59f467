/** The call that the form describes; any part of the page may fill it. */

import { signal } from "@preact/signals";
import { type JsonValue, parseJsonObject, renderJson } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import { type OpenText, startChange } from "../model-tools.ts";
import { findNote, searchesLines, spellPath } from "../tool-notes.ts";

/** The chosen tool; "" while no tool is chosen. */
export const draftTool = signal("");

/** The answer's maximum size in UTF-8 bytes; null uses the configured one. */
export const draftMaxOutputBytes = signal<number | null>(null);

/** The number of times that the form was filled from elsewhere; the form then takes the focus. */
export const fillCount = signal(0);

/** The arguments that were written, by tool: a switch to another tool loses nothing. */
export const writtenArguments = signal<ReadonlyMap<string, string>>(new Map());

/** The pattern that was written last: every tool that searches lines goes on with it. */
const writtenPattern = signal<JsonValue | undefined>(undefined);

/** Fills the form with a call, for the visitor to change and to run; a mount empties the form. */
export function fillCall({ toolName, argumentsText, maxOutputBytes }: CallText): void {
  draftTool.value = toolName;
  draftMaxOutputBytes.value = maxOutputBytes;
  writeArguments(toolName, argumentsText);
  fillCount.value += 1;
}

/** Keeps the arguments as text and not as an object: a visitor may send invalid JSON on purpose. */
export function writeArguments(toolName: string, argumentsText: string): void {
  writtenArguments.value = new Map(writtenArguments.value).set(toolName, argumentsText);
  if (searchesLines(toolName)) {
    writtenPattern.value = parseJsonObject(argumentsText)?.pattern;
  }
}

/**
 * Returns the arguments of a tool; until they are written they follow the open file.
 *
 * `fullName` tells two tools of one name apart.
 */
export function draftArguments(toolName: string, open: OpenText, fullName = toolName): string {
  const start = () => startChange(fullName, open) ?? startArguments(toolName, open.path);
  const text = writtenArguments.value.get(toolName) ?? renderJson(start());
  const pattern = searchesLines(toolName) ? writtenPattern.value : undefined;
  const values = pattern === undefined ? null : parseJsonObject(text);
  return values === null || values.pattern === pattern ? text : renderJson({ ...values, pattern });
}

/** Drops what was written; what was written since `before` stays. */
export function forgetArguments(before = writtenArguments.peek()): void {
  const since = [...writtenArguments.peek()].filter(([tool, text]) => before.get(tool) !== text);
  writtenArguments.value = new Map(since);
  if (!since.some(([tool]) => searchesLines(tool))) {
    writtenPattern.value = undefined;
  }
}

function startArguments(toolName: string, openPath = ""): Readonly<Record<string, string>> {
  const note = findNote(toolName);
  if (note === undefined) {
    return {};
  }
  // A search goes through the whole tree, wherever the visitor looks.
  const directory = searchesLines(toolName) ? "" : openPath.split("/").slice(0, -1).join("/");
  const path = note.takes === "file" ? openPath : directory;
  const isMissing = note.takes === "file" && openPath === "";
  return { ...(isMissing ? {} : { [note.pathArgument]: spellPath(note, path) }), ...note.example };
}
