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
  /** The definition of the tool, under its own name. */
  readonly definition: ToolDefinition;
  /** What the call would do, in the tool's own words: at most 200 characters, secrets redacted. */
  readonly summary: string;
  /** The arguments of the approved call: JSON text. */
  readonly arguments: string;
  readonly callId: string | null;
  /** Aborted when the call is abandoned. */
  readonly signal: AbortSignal | undefined;
}

/** Tells whether a call may be made. */
export type Approve = (call: ProposedCall) => boolean | Promise<boolean>;

/**
 * Asks for consent, if the page has an `approve`; returns the text for the model if it is denied.
 *
 * Does not ask about a call that the tool would refuse anyway. Rejects with the signal's reason, or
 * if no summary can be made.
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
    // A failed question is no consent, and the error is reported to the page.
    reportError(error);
    return refusal.denied(summary);
  }
}
