import type { ToolResult } from "../protocol/tools.ts";

/** The outcome of a call, for the model. */
export interface ToolOutcome {
  /** The tool's content, and with `guide` one more line; or why the tool gave no answer. */
  readonly text: string;
  readonly isError: boolean;
  /** The tool's own answer; null if it gave none. */
  readonly result: ToolResult | null;
}
