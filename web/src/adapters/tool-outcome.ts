import type { ToolResult } from "../protocol/tools.ts";

/** What the model is to be given. */
export interface ToolOutcome {
  /** The tool's own content, with `guide` one line more; or why the call was not made. */
  readonly text: string;
  readonly isError: boolean;
  /** The tool's own answer; null where the call was not made. */
  readonly result: ToolResult | null;
}
