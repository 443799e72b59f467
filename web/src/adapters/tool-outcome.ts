import type { ToolResult } from "../protocol/tools.ts";

/** The outcome of a call, for the model. */
export interface ToolOutcome {
  /** The tool's content, with `guide` one line more; or why the call has no answer of the tool. */
  readonly text: string;
  readonly isError: boolean;
  /** The tool's own answer; null if it gave none. */
  readonly result: ToolResult | null;
}
