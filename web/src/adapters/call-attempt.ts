/** The options of one call, and how it ended. */
import type { CallToolOptions } from "../client/method-options.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import type { CallEvent } from "./toolset-options.ts";

/** Options of one call. */
export interface ToolsetCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The host's id for the call, for the log. */
  readonly callId?: string | null;
  /** The caller's own limits, within `output`, and the start of its relative paths. */
  readonly bounds?: CallBounds;
}

/** What a caller may set for one call besides its arguments. */
export type CallBounds = Pick<
  CallToolOptions,
  "maxOutputBytes" | "availableCapacityBytes" | "workingDir"
>;

/** How a call ended that was not aborted. */
export interface CallAttempt {
  readonly kind: Exclude<CallEvent["outcome"], "aborted">;
  readonly outcome: ToolOutcome;
  /** The error of a `failed` call; null for the others. */
  readonly fault: unknown;
}
