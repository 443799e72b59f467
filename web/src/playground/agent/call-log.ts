/** Puts together what a model asked for and what became of it, whichever order that comes in. */

import type { CallEvent } from "../../adapters/toolset.ts";
import type { RequestedCall } from "./agent-model.ts";
import type { CallEntry } from "./transcript.ts";

/** Returns what the transcript keeps of a call that is over. */
export function toCallEntry(event: CallEvent): CallEntry {
  const { name, tool, callId, outcome, text, isError, truncated } = event;
  const { sizeBytes, estimatedTokens, result } = event;
  return {
    ...{ type: "call", name, tool, callId, arguments: event.arguments, outcome, text, isError },
    ...{ truncated, sizeBytes, estimatedTokens },
    // The event's time holds a person's consent, and every wait for a mount.
    elapsedMs: result?.elapsedMs ?? event.elapsedMs,
    nextArguments: result?.nextArguments ?? null,
  };
}

/** Returns the entry of a call that nobody waits for any more. */
export function toAbandonedEntry({ name, callId, arguments: args }: RequestedCall): CallEntry {
  return {
    ...{ type: "call", name, tool: null, callId, arguments: args, outcome: "aborted", text: "" },
    ...{ isError: true, truncated: false, sizeBytes: 0, estimatedTokens: 0, elapsedMs: 0 },
    nextArguments: null,
  };
}

/** Returns which of the calls that are under way an event is about; -1 where none is. */
export function findCall(calls: readonly RequestedCall[], event: CallEvent): number {
  const isSame = ({ callId, name }: RequestedCall) =>
    name === event.name && callId === event.callId;
  const spelled = spell(event.arguments);
  // Duplicate ids are told apart by what they ask.
  const exact = calls.findIndex((call) => isSame(call) && spell(call.arguments) === spelled);
  return exact === -1 ? calls.findIndex(isSame) : exact;
}

function spell(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}
