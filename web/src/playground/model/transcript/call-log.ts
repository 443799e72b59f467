/** Matches requested calls with their events, which may arrive in another order. */

import type { CallEvent } from "../../../adapters/toolset.ts";
import type { RequestedCall } from "../agent-model.ts";
import type { CallEntry } from "./transcript.ts";

/** Returns the transcript's entry of a finished call. */
export function toCallEntry(event: CallEvent): CallEntry {
  const { name, tool, callId, outcome, text, isError, truncated } = event;
  const { sizeBytes, estimatedTokens, result } = event;
  return {
    ...{ type: "call", name, tool, callId, arguments: event.arguments, outcome, text, isError },
    ...{ truncated, sizeBytes, estimatedTokens },
    // Not the event's time, which includes the waits for approval and for a mount.
    elapsedMs: result?.elapsedMs ?? event.elapsedMs,
    nextArguments: result?.nextArguments ?? null,
  };
}

/** Returns the transcript's entry of an abandoned call. */
export function toAbandonedEntry({ name, callId, arguments: args }: RequestedCall): CallEntry {
  return {
    ...{ type: "call", name, tool: null, callId, arguments: args, outcome: "aborted", text: "" },
    ...{ isError: true, truncated: false, sizeBytes: 0, estimatedTokens: 0, elapsedMs: 0 },
    nextArguments: null,
  };
}

/** Returns the index of the running call that an event belongs to; -1 if there is no such call. */
export function findCall(calls: readonly RequestedCall[], event: CallEvent): number {
  const isSame = ({ callId, name }: RequestedCall) =>
    name === event.name && callId === event.callId;
  const spelled = spell(event.arguments);
  // Ids may repeat: prefer the call with the same arguments.
  const exact = calls.findIndex((call) => isSame(call) && spell(call.arguments) === spelled);
  return exact === -1 ? calls.findIndex(isSame) : exact;
}

function spell(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}
