import type { TreeglassClient } from "../client/client.ts";

/** The methods of a client that an adapter uses. */
export type ToolClient = Pick<
  TreeglassClient,
  "listTools" | "describeTools" | "prepareCall" | "callTool"
>;
