/** Sets of calls that the visitor keeps in this browser, by name. */

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { isRecord } from "../../lib/checks.ts";
import { parseJsonObject } from "../../ui/json.ts";
import { familyOf } from "../model-tools.ts";
import { Button } from "../shell/button.tsx";
import { keepText, readKept } from "../shell/kept-text.ts";
import { FAMILIES } from "../tool-notes.ts";
import { compareCalls, comparedRows } from "./compared-calls.ts";
import type { FamilyCall } from "./like-calls.ts";

type CallSets = ReadonlyMap<string, readonly FamilyCall[]>;

const STORAGE_KEY = "treeglass-compared-calls";

export const savedSets = signal(parseSets(readKept(STORAGE_KEY) ?? "{}"));

function drop(name: string): void {
  keep(new Map([...savedSets.value].filter(([each]) => each !== name)));
}

function keep(sets: CallSets): void {
  savedSets.value = sets;
  const rows = Array.from(sets, ([name, calls]) => [
    name,
    calls.map(({ family, call }) => ({ ...call, family })),
  ]);
  keepText(STORAGE_KEY, JSON.stringify(Object.fromEntries(rows)));
}

/** Reads the sets of a text; leaves out what is no call. */
export function parseSets(text: string): CallSets {
  const entries = Object.entries(parseJsonObject(text) ?? {});
  return new Map(
    entries.map(([name, calls]) => [name, Array.isArray(calls) ? calls.flatMap(readCall) : []]),
  );
}

function readCall(value: unknown): readonly FamilyCall[] {
  if (!isRecord(value)) {
    return [];
  }
  const { toolName, argumentsText, maxOutputBytes, family } = value;
  const isCall = typeof toolName === "string" && typeof argumentsText === "string";
  const isLimit = maxOutputBytes === null || typeof maxOutputBytes === "number";
  return isCall && isLimit
    ? [
        {
          family: FAMILIES.find((each) => each === family) ?? familyOf(toolName) ?? null,
          call: { toolName, argumentsText, maxOutputBytes },
        },
      ]
    : [];
}

/** Keeps the compared calls under a name, and brings a kept set back. */
export function SavedSets() {
  const [name, setName] = useState("");
  return (
    <details>
      <summary>Saved sets ({savedSets.value.size})</summary>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const calls = comparedRows.value.map(({ family, call }) => ({ family, call }));
          keep(new Map(savedSets.value).set(name.trim(), calls));
          setName("");
        }}
      >
        <label>
          Name of these calls{" "}
          <input
            type="text"
            required
            pattern=".*\S.*"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <Button type="submit" words="Save" />
      </form>
      <ul>
        {Array.from(savedSets.value, ([each, calls]) => (
          <li class="row" key={each}>
            {each} <span class="dim">({calls.length})</span>
            <Button onClick={() => compareCalls(calls)} words="Load" />
            <Button onClick={() => drop(each)} words="Delete" />
          </li>
        ))}
      </ul>
    </details>
  );
}
