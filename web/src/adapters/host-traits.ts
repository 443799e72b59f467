/** What an adapter says of its host. */
import type { OutputProfileName } from "./output-profile.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** The names that a host accepts, with their description. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly says: string;
}

/** What an adapter says of its host. */
export interface HostTraits {
  /** The host's own budget. @default null */
  readonly output?: OutputProfileName | null;
  /** Whether the host's schemas make a model send null for an omitted argument. @default false */
  readonly nullsAreAbsent?: boolean;
  /** The names that the host accepts. @default 1 to 128 of A-Z a-z 0-9 _ . - */
  readonly names?: NameRule;
  /** Options of the adapter besides those of every toolset. @default [] */
  readonly ownOptions?: readonly string[];
  /** Returns everything that the model gets of an answer, to measure it. @default the text */
  readonly render?: (outcome: ToolOutcome) => string;
  /** Formats the error for an unknown tool. @default names the tools that exist */
  readonly answerUnknown?: (name: string) => ToolOutcome;
}
