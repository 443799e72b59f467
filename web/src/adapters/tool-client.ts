import type { TreeglassClient } from "../client/client.ts";

/** What an adapter needs of a client. */
export type ToolClient = Pick<
  TreeglassClient,
  "listTools" | "describeTools" | "summarizeCall" | "callTool"
>;
