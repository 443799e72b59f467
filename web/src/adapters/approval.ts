/** Asks a person to approve a call. */
import { orAborted } from "../lib/or-aborted.ts";
import { reportError } from "../lib/report-error.ts";
import type { ToolDefinition } from "../protocol/tools.ts";
import { refusal } from "./model-messages.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A call that waits for consent. */
export interface ProposedCall {
  /** The name that the model used. */
  readonly name: string;
  /** The tool's definition, under its own name. */
  readonly definition: ToolDefinition;
  /** What the call would do, in the tool's own words: at most 200 characters, secrets redacted. */
  readonly summary: string;
  /** The JSON text that the tool gets once the call is approved. */
  readonly arguments: string;
  readonly callId: string | null;
  /** Aborts when the host stops waiting for the answer. */
  readonly signal: AbortSignal | undefined;
}

/** Tells whether a call may be made. */
export type Approve = (call: ProposedCall) => boolean | Promise<boolean>;

/**
 * Asks the page's `approve`, if it has one; returns the outcome of a denied call, or null.
 *
 * Does not ask about a call that the tool would refuse anyway. Rejects with the signal's reason, and
 * if the call could not be summarised.
 */
export async function approve(
  ask: Approve | undefined,
  call: Omit<ProposedCall, "summary">,
  summarize: () => Promise<string | null>,
): Promise<ToolOutcome | null> {
  if (ask === undefined) {
    return null;
  }
  const summary = await orAborted(summarize(), call.signal);
  if (summary === null) {
    return null;
  }
  try {
    const isApproved = await orAborted(ask({ ...call, summary }), call.signal);
    return isApproved === true ? null : refusal.denied(summary);
  } catch (error) {
    call.signal?.throwIfAborted();
    // A question that fails counts as a refusal; the page gets to see its own error.
    reportError(error);
    return refusal.denied(summary);
  }
}
