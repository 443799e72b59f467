/** Repeats the calls of a transcript on the mounted tree. */

import type { ToolClient } from "../../adapters/tool-client.ts";
import { createToolset, type HostTraits, type Toolset } from "../../adapters/toolset.ts";
import type { CallEntry, TranscriptEntry } from "./transcript.ts";

/** The result of one repeated call. */
export interface ReplayedCall {
  /** The index of the call in the transcript. */
  readonly index: number;
  /** `skipped` if the call had no answer in the transcript, so that there is nothing to compare. */
  readonly verdict: "same" | "differs" | "skipped";
  /** The answer that the model would get now; null if the call was skipped. */
  readonly text: string | null;
}

/** The host traits of the providers' adapters that change the answer to a call. */
const TRAITS: Readonly<Record<string, HostTraits>> = {
  openai: { nullsAreAbsent: true },
  browser: { nullsAreAbsent: true, output: "webmcp" },
};

/**
 * Runs the answered calls of a transcript in order, one after the other.
 *
 * The comparison ignores times, since they differ in every run.
 * Rejects with the signal's reason.
 */
export async function replayCalls(
  client: ToolClient,
  entries: readonly TranscriptEntry[],
  onCall: (call: ReplayedCall) => void,
  signal: AbortSignal,
): Promise<readonly ReplayedCall[]> {
  const calls: ReplayedCall[] = [];
  let toolset = await createToolset(client);
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "conversation") {
      const traits = Object.hasOwn(TRAITS, entry.provider) ? TRAITS[entry.provider] : {};
      toolset = await createToolset(client, {}, traits);
    } else if (entry.type === "call") {
      const call = await replay(toolset, index, entry, signal);
      calls.push(call);
      onCall(call);
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
  if (entry.outcome !== "answered" || entry.tool === null) {
    return { index, verdict: "skipped", text: null };
  }
  const { text } = await toolset.call(entry.tool, entry.arguments, { signal });
  const isSame = withoutTime(text) === withoutTime(entry.text);
  return { index, verdict: isSame ? "same" : "differs", text };
}

/** Sets the time in an envelope to 0, since it differs in every run. */
function withoutTime(text: string): string {
  return text.replace(/("time_ms": ?)[\d.]+/g, (_, label: string) => `${label}0`);
}
