/** A call, and what was made of it. */

import type { ToolResult } from "../index.ts";

/** A call as it is sent. */
export interface CallText {
  readonly toolName: string;
  readonly argumentsText: string;
  /** The ceiling of the answer in UTF-8 bytes; null leaves it to the configuration. */
  readonly maxOutputBytes: number | null;
}

/** A call that was made, with all that the page shows of it. */
export interface CallRecord extends CallText {
  readonly result: ToolResult;
  /** From the page's call to the page's answer, in milliseconds; `result.elapsedMs` is the tool's share. */
  readonly roundTripMs: number;
}
