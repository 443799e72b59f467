/** What an adapter says of its host. */
import type { OutputProfileName } from "./output-profile.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** Which names a host takes, and the words for it. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly says: string;
}

/** What an adapter says of its host. */
export interface HostTraits {
  /** The host's own budget. @default null */
  readonly output?: OutputProfileName | null;
  /** Whether the host's schemas make a model send null for what it leaves out. @default false */
  readonly nullsAreAbsent?: boolean;
  /** The names that the host takes. @default 1 to 128 of A-Z a-z 0-9 _ . - */
  readonly names?: NameRule;
  /** The adapter's own options beside those of every toolset. @default [] */
  readonly ownOptions?: readonly string[];
  /** All that the host gives its model of an answer, so that it can be measured. @default the text */
  readonly render?: (outcome: ToolOutcome) => string;
  /** Words the answer to a name that no tool has. @default that there is none, and which there are */
  readonly answerUnknown?: (name: string) => ToolOutcome;
}
