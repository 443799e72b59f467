/** A call that was made, with all that the page shows of it. */

import type { ToolResult } from "../index.ts";

export interface CallRecord {
  readonly toolName: string;
  readonly argumentsText: string;
  readonly maxOutputBytes: number | null;
  readonly result: ToolResult;
  /** From the page's call to the page's answer, in milliseconds; `result.elapsedMs` is the tool's share. */
  readonly roundTripMs: number;
}
