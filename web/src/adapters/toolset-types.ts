/** The types that toolsets and adapters share. */
import type { PreparedCall, TreeglassClient } from "../client/client.ts";
import type { CallToolOptions, MeaningOptions } from "../client/method-options.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import type { ToolResult } from "../protocol/tools.ts";
import type { OutputProfileName } from "./output-profile.ts";

/** The methods of a client that an adapter uses. */
export interface ToolClient extends Pick<TreeglassClient, "listTools" | "describeTools"> {
  prepareCall(name: string, args: object | string, options?: MeaningOptions): Promise<PreparedCall>;
  callTool(name: string, args: object | string, options?: CallToolOptions): Promise<ToolResult>;
  /** The paths of the mounts, for the hosts whose model is told them. */
  mounts?(): readonly Pick<MountReport, "path">[];
}

/** Options for answering the calls of one message. */
export interface AnswerOptions {
  /** If it aborts, `answer` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The host's name for the model's turn, such as `turn 2`, for the steps that the calls make.
   * @default what the option `group` of the adapter returns
   */
  readonly group?: string | undefined;
}

/** Options of one call. */
export interface ToolsetCallOptions extends AnswerOptions {
  /** The host's id for the call, for the log. */
  readonly callId?: string | null;
}

/** The outcome of a call, for the model. */
export interface ToolOutcome {
  /** The tool's content, and with `guide` one more line; or why the tool gave no answer. */
  readonly text: string;
  readonly isError: boolean;
  /** The tool's own answer; null if it gave none. */
  readonly result: ToolResult | null;
}

/** The names that a host accepts. */
export interface NameRule {
  readonly pattern: RegExp;
  /** The pattern in words, for a message. */
  readonly says: string;
}

/** The traits of its host that an adapter declares. */
export interface HostTraits {
  /** The host's own budget. @default null */
  readonly output?: OutputProfileName | null;
  /** True if the model sends null for every argument that it leaves out. @default false */
  readonly nullsAreAbsent?: boolean;
  /** The names that the host accepts. @default 1 to 128 of A-Z a-z 0-9 _ . - */
  readonly names?: NameRule;
  /** The adapter's own options beside those of every toolset. @default [] */
  readonly ownOptions?: readonly string[];
  /** Returns everything that the host passes to its model, to be measured. @default the text */
  readonly render?: (outcome: ToolOutcome) => string;
}
