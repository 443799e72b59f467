/** The differences between hosts. */
import type { OutputProfileName } from "./output-profile.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** Which names a host accepts. */
export interface NameRule {
  readonly pattern: RegExp;
  /** The pattern in words, for a message. */
  readonly says: string;
}

/** What an adapter declares about its host. */
export interface HostTraits {
  /** The host's own budget. @default null */
  readonly output?: OutputProfileName | null;
  /** Whether the model sends null for every argument that it leaves out. @default false */
  readonly nullsAreAbsent?: boolean;
  /** The names that the host accepts. @default 1 to 128 of A-Z a-z 0-9 _ . - */
  readonly names?: NameRule;
  /** The adapter's own options beside those of every toolset. @default [] */
  readonly ownOptions?: readonly string[];
  /** Returns everything that the host passes to its model, to be measured. @default the text */
  readonly render?: (outcome: ToolOutcome) => string;
  /** Returns the answer to an unknown name. @default says that it is unknown, and lists the tools */
  readonly answerUnknown?: (name: string) => ToolOutcome;
}
