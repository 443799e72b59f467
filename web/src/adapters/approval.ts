/** A person's consent to a call. */

import { orAborted } from "../lib/or-aborted.ts";
import { reportError } from "../lib/report-error.ts";
import type { ToolDefinition } from "../protocol/tools.ts";
import { refusal } from "./sentences.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A call that waits for consent. */
export interface ProposedCall {
  /** The name that the model used. */
  readonly name: string;
  /** What the tool says of itself, under its own name. */
  readonly definition: ToolDefinition;
  /** What the call would do, in the tool's own words: at most 200 characters, secrets redacted. */
  readonly summary: string;
  /** What runs once it is approved: JSON text. */
  readonly arguments: string;
  readonly callId: string | null;
  /** Aborted where nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
}

/** Tells whether a call may be made. */
export type Approve = (call: ProposedCall) => boolean | Promise<boolean>;

/**
 * Asks for consent where there is somebody to ask; returns what the model is told if it is denied.
 *
 * Nobody is asked about a call that the tool would refuse anyway. Rejects with the signal's reason,
 * and where the summary cannot be had.
 */
export async function approve(
  client: ToolClient,
  ask: Approve | undefined,
  call: Omit<ProposedCall, "summary">,
): Promise<ToolOutcome | null> {
  if (ask === undefined) {
    return null;
  }
  const proposed = client.summarizeCall(call.definition.name, call.arguments);
  const summary = await orAborted(proposed, call.signal);
  if (summary === null) {
    return null;
  }
  try {
    const isApproved = await orAborted(ask({ ...call, summary }), call.signal);
    return isApproved === true ? null : refusal.denied(summary);
  } catch (error) {
    call.signal?.throwIfAborted();
    // Nobody has consented, and the page has to hear of its own fault.
    reportError(error);
    return refusal.denied(summary);
  }
}
