/** A call, and its result. */

import type { ToolResult } from "../../index.ts";

/** A call as it is sent. */
export interface CallText {
  readonly toolName: string;
  readonly argumentsText: string;
  /** The answer's maximum size in UTF-8 bytes; null uses the configured one. */
  readonly maxOutputBytes: number | null;
}

/** A finished call, with everything that the page shows about it. */
export interface CallRecord extends CallText {
  readonly result: ToolResult;
  /** The time that the page waited, in milliseconds; `result.elapsedMs` is the tool's share of it. */
  readonly roundTripMs: number;
}
