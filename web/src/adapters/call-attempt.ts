/** What is said of one call, and what became of it. */
import type { CallToolOptions } from "../client/client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import type { CallEvent } from "./toolset-options.ts";

/** How one call is done. */
export interface ToolsetCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The host's id of the call, for the log. */
  readonly callId?: string | null;
  /** The caller's own ceilings, within `output`, and where its relative paths start. */
  readonly bounds?: CallBounds;
}

/** What a caller may say of one call beside its arguments. */
export type CallBounds = Pick<
  CallToolOptions,
  "maxOutputBytes" | "availableCapacityBytes" | "workingDir"
>;

/** What became of a call that was not aborted. */
export interface CallAttempt {
  readonly kind: Exclude<CallEvent["outcome"], "aborted">;
  readonly outcome: ToolOutcome;
  /** What kept a `failed` call from being made; null for the others. */
  readonly fault: unknown;
}
