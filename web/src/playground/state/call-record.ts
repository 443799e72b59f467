/** A call, and its result. */

import type { ToolResult } from "../../index.ts";
import type { CallText } from "../../ui/literals.ts";

export type { CallText };

/** A finished call, with everything that the page shows about it. */
export interface CallRecord extends CallText {
  readonly result: ToolResult;
  /** The time that the page waited, in milliseconds; `result.elapsedMs` is the tool's share of it. */
  readonly roundTripMs: number;
}
