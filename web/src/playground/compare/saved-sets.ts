/** Sets of calls that the visitor keeps in this browser, by name. */

import { signal } from "@preact/signals";
import { isRecord } from "../../lib/checks.ts";
import { parseJsonObject } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import { keepText, readKept } from "../shell/kept-text.ts";

type SavedSets = ReadonlyMap<string, readonly CallText[]>;

const STORAGE_KEY = "treeglass-compared-calls";

export const savedSets = signal(parseSets(readKept(STORAGE_KEY) ?? "{}"));

export function saveSet(name: string, calls: readonly CallText[]): void {
  keep(new Map(savedSets.value).set(name, calls));
}

export function deleteSet(name: string): void {
  keep(new Map([...savedSets.value].filter(([each]) => each !== name)));
}

function keep(sets: SavedSets): void {
  savedSets.value = sets;
  keepText(STORAGE_KEY, JSON.stringify(Object.fromEntries(sets)));
}

/** Reads the sets of a text; leaves out what is no call. */
export function parseSets(text: string): SavedSets {
  const entries = Object.entries(parseJsonObject(text) ?? {});
  return new Map(
    entries.map(([name, calls]) => [name, Array.isArray(calls) ? calls.flatMap(readCall) : []]),
  );
}

function readCall(value: unknown): readonly CallText[] {
  if (!isRecord(value)) {
    return [];
  }
  const { toolName, argumentsText, maxOutputBytes } = value;
  const isCall = typeof toolName === "string" && typeof argumentsText === "string";
  const isLimit = maxOutputBytes === null || typeof maxOutputBytes === "number";
  return isCall && isLimit ? [{ toolName, argumentsText, maxOutputBytes }] : [];
}
