/** Asks a person to approve a call. */
import type { PreparedCall } from "../client/client.ts";
import { isRecord } from "../lib/checks.ts";
import { orAborted } from "../lib/promises.ts";
import { reportError } from "../lib/report-error.ts";
import type { ToolDefinition } from "../protocol/tools.ts";
import { refusal } from "./model-messages.ts";
import type { ToolOutcome } from "./toolset-types.ts";

/** A call that waits for consent. */
export interface ProposedCall {
  /** The name that the model used. */
  readonly name: string;
  /** The tool's definition, under its own name. */
  readonly definition: ToolDefinition;
  /** The effect of the call in the tool's own words: at most 200 characters, secrets redacted. */
  readonly summary: string;
  /** The JSON text that the tool gets once the call is approved. */
  readonly arguments: string;
  /** The virtual directory that relative paths start from; missing if it is the client's. */
  readonly workingDir?: string;
  readonly callId: string | null;
  /** Aborts when the host stops waiting for the answer. */
  readonly signal: AbortSignal | undefined;
}

/** Tells whether a call may be made. */
export type Approve = (call: ProposedCall) => boolean | Promise<boolean>;

/** The outcome of a call that was asked about. */
export interface Decision {
  readonly kind: "answered" | "refused";
  readonly outcome: ToolOutcome;
}

/** The most questions about one call whose settings change before it runs. */
const MAX_QUESTIONS = 5;

/**
 * Asks the page's `approve` about a call, and runs it exactly as it was approved.
 *
 * If the settings change before the call runs, it does not run, and `approve` is asked again under
 * the new ones. Does not ask about a call that the tool refuses under its settings anyway. Rejects
 * with the signal's reason, and if the call could not be prepared or run.
 */
export async function runApproved(
  ask: Approve,
  call: Omit<ProposedCall, "summary">,
  prepare: () => Promise<PreparedCall>,
  run: (prepared: PreparedCall) => Promise<ToolOutcome>,
): Promise<Decision> {
  for (let questions = 1; ; questions += 1) {
    const prepared = await orAborted(prepare(), call.signal);
    const { summary } = prepared;
    if (summary !== null && !(await isApproved(ask, { ...call, summary }))) {
      return { kind: "refused", outcome: refusal.denied(summary) };
    }
    try {
      return { kind: "answered", outcome: await run(prepared) };
    } catch (error) {
      const isChanged = isRecord(error) && error.name === "SettingsChanged";
      if (!isChanged || questions === MAX_QUESTIONS) {
        throw error;
      }
    }
  }
}

async function isApproved(ask: Approve, call: ProposedCall): Promise<boolean> {
  try {
    // A page without types can answer anything.
    return (await orAborted(ask(call), call.signal)) === true;
  } catch (error) {
    call.signal?.throwIfAborted();
    // A question that fails counts as a refusal; the page gets to see its own error.
    reportError(error);
    return false;
  }
}
