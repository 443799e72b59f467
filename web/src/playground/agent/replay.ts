/** The same calls again on the tree that is mounted now. */

import type { ToolClient } from "../../adapters/tool-client.ts";
import { createToolset, type HostTraits, type Toolset } from "../../adapters/toolset.ts";
import type { CallEntry, TranscriptEntry } from "./transcript.ts";

/** What became of one call of a transcript. */
export interface ReplayedCall {
  /** Where in the transcript the call stands. */
  readonly index: number;
  /** `skipped` is what was not answered then, so that there is nothing to compare with. */
  readonly verdict: "same" | "differs" | "skipped";
  /** What the model would be given now; null where the call was skipped. */
  readonly text: string | null;
}

/** What the providers' adapters say of their hosts, where it changes what a call is answered. */
const TRAITS: Readonly<Record<string, HostTraits>> = {
  openai: { nullsAreAbsent: true },
  browser: { nullsAreAbsent: true, output: "webmcp" },
};

/**
 * Runs the answered calls of a transcript in their order, one after the other.
 *
 * Times differ with each run and are left out of the comparison.
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

/** An envelope says how long the call took, which is news every time. */
function withoutTime(text: string): string {
  return text.replace(/("time_ms": ?)[\d.]+/g, (_, label: string) => `${label}0`);
}
