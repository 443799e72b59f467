/** Repeats the calls of a transcript on the mounted tree. */

import { structuredPatch } from "diff";
import { createToolset, type Toolset } from "../../../adapters/toolset.ts";
import type { ToolClient } from "../../../adapters/toolset-types.ts";
import { parseJsonObject, renderJson } from "../../../ui/json.ts";
import { isChanging } from "../../model-tools.ts";
import type { CallEntry, TranscriptEntry } from "./transcript.ts";

export interface ReplayedCall {
  readonly index: number;
  /** `skipped` if the call had no answer in the transcript, or would change files. */
  readonly verdict: "same" | "differs" | "skipped";
  /** The lines in which the answers differ; null if they are the same, or if the call was skipped. */
  readonly difference: string | null;
}

/**
 * Runs the answered calls of a transcript in order, one after the other.
 *
 * The comparison ignores times, since they differ in every run.
 * Rejects with the signal's reason.
 */
export async function replayCalls(
  client: ToolClient,
  entries: readonly TranscriptEntry[],
  signal: AbortSignal,
): Promise<readonly ReplayedCall[]> {
  const calls: ReplayedCall[] = [];
  // As for the model, which sends null for what it leaves out.
  const toolset = await createToolset(client, {}, { nullsAreAbsent: true });
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "call") {
      calls.push(await replay(toolset, index, entry, signal));
    }
  }
  return calls;
}

async function replay(
  toolset: Toolset,
  index: number,
  entry: CallEntry,
  signal: AbortSignal,
): Promise<ReplayedCall> {
  if (entry.outcome !== "answered" || entry.tool === null || isChanging(entry.tool)) {
    return { index, verdict: "skipped", difference: null };
  }
  const { text } = await toolset.call(entry.tool, entry.arguments, { signal });
  const [before, now] = [withoutTime(entry.text), withoutTime(text)];
  return before === now
    ? { index, verdict: "same", difference: null }
    : { index, verdict: "differs", difference: differenceOf(inLines(before), inLines(now)) };
}

/** Returns the object of an answer with a line for each key, since it came as one line. */
function inLines(text: string): string {
  const values = parseJsonObject(text);
  return values === null ? text : renderJson(values);
}

/** Sets the durations in an envelope to 0, since they differ in every run. */
function withoutTime(text: string): string {
  return text.replace(/("time_ms": ?|\(Took |mtime desc\. Took )[\d.]+/g, "$1…");
}

/** With this many edits, the old lines stand before the new ones. */
const OPTIONS = { context: 2, maxEditLength: 2000 } as const;

/**
 * Returns the lines that differ, each after its mark, with two lines around them.
 *
 * `…` stands for lines that are the same and are left out. Empty if no line differs.
 */
export function differenceOf(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const patch = structuredPatch("", "", `${before}\n`, `${after}\n`, "", "", OPTIONS);
  const whole = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const shown: string[] = [];
  let next = 1;
  for (const { oldStart, oldLines, lines } of patch?.hunks ?? [
    { oldStart: 1, oldLines: old.length, lines: whole },
  ]) {
    shown.push(...(oldStart > next ? ["…"] : []), ...lines.map(spaceMark));
    next = oldStart + oldLines;
  }
  return [...shown, ...(shown.length > 0 && next <= old.length ? ["…"] : [])].join("\n");
}

function spaceMark(line: string): string {
  return `${line.slice(0, 1)} ${line.slice(1)}`;
}
