import type { PreparedCall, TreeglassClient } from "../client/client.ts";
import type { CallToolOptions, MeaningOptions } from "../client/method-options.ts";
import type { ToolResult } from "../protocol/tools.ts";

/** The methods of a client that an adapter uses. */
export interface ToolClient extends Pick<TreeglassClient, "listTools" | "describeTools"> {
  prepareCall(name: string, args: object | string, options?: MeaningOptions): Promise<PreparedCall>;
  callTool(name: string, args: object | string, options?: CallToolOptions): Promise<ToolResult>;
}
