/** The options that all adapters share, and the event that reports a call. */
import {
  BOOLEAN,
  checkedOptions,
  DURATION_MS,
  FUNCTION,
  type OptionRules,
  TEXT,
  TEXTS,
  TEXTS_BY_NAME,
  VIRTUAL_PATH,
} from "../protocol/options.ts";
import type { ToolResult } from "../protocol/tools.ts";
import type { Approve } from "./approval.ts";
import { type OutputProfile, type OutputProfileName, toOutputProfile } from "./output-profile.ts";

/** The options that every adapter takes. */
export interface ToolsetOptions {
  /**
   * The tools that the host gets, by the names that the client offers them by, or by full names
   * such as `codex.read_file`. @default all that are offered
   */
  readonly allow?: readonly string[];
  /** The tools that the host does not get; `deny` wins over `allow`. @default [] */
  readonly deny?: readonly string[];
  /**
   * The host's own tools, by the names that the model sees: an adapter that answers a whole
   * message ignores their calls. @default []
   */
  readonly answeredElsewhere?: readonly string[];
  /** Put before every name, such as `repo_`. @default "" */
  readonly prefix?: string;
  /** From a tool's own name to the name that the host sees instead, which gets no prefix. */
  readonly rename?: Readonly<Record<string, string>>;
  /**
   * The most that one call gives the model; null leaves the limit to the configuration.
   * @default the adapter's own budget, or null
   */
  readonly output?: OutputProfileName | OutputProfile | null;
  /** True if a cut answer ends with one short line that tells the model how to go on. @default false */
  readonly guide?: boolean;
  /**
   * The time that one call may take, in milliseconds, all tries for a budget together.
   * @default the client's, for each try
   */
  readonly timeoutMs?: number;
  /** The virtual directory that relative paths start from. @default the client's */
  readonly workingDir?: string;
  /** Asked before each call; if it says no or throws, the model reads that the call was denied. */
  readonly approve?: Approve;
  /**
   * True if a null of an optional argument means that the argument is absent.
   * @default true for a host with strict schemas, and after `describe` of a strict format
   */
  readonly nullsAreAbsent?: boolean;
  /**
   * Returns what the host calls the model's present turn, such as `turn 2`, for the steps of its
   * calls. Asked at the beginning of each call, unless the call names its turn itself.
   */
  readonly group?: () => string;
  /** Called at the end of each call, however it ended. */
  readonly onCall?: (event: CallEvent) => void;
}

/** The end of one call, for a host's log. */
export interface CallEvent {
  /** The name that the model used. */
  readonly name: string;
  /** The tool's own name; null for an unknown tool. */
  readonly tool: string | null;
  /** The host's id for the call; null if the host passed no id. */
  readonly callId: string | null;
  /** As the model sent them. */
  readonly arguments: unknown;
  /**
   * `answered` if the tool ran, even if its answer is an error; `refused` by the page; `unknown` if
   * no tool has the name; `failed` if the call could not be made, or was stopped; `aborted` by the
   * signal.
   */
  readonly outcome: "answered" | "refused" | "unknown" | "failed" | "aborted";
  /** The text for the model; empty if the call was aborted. */
  readonly text: string;
  readonly isError: boolean;
  readonly truncated: boolean;
  /** The text's size in UTF-8. */
  readonly sizeBytes: number;
  /** About how many tokens of the model's context the text takes. */
  readonly estimatedTokens: number;
  /** From the host's call to the answer, including the time for a person's consent. */
  readonly elapsedMs: number;
  /** The tool's own answer; null if it gave none. */
  readonly result: ToolResult | null;
}

const RULES: OptionRules<ToolsetOptions> = {
  allow: TEXTS,
  answeredElsewhere: TEXTS,
  approve: FUNCTION,
  deny: TEXTS,
  group: FUNCTION,
  guide: BOOLEAN,
  nullsAreAbsent: BOOLEAN,
  onCall: FUNCTION,
  // It refuses any other value itself.
  output: (value) => toOutputProfile(value as OutputProfile),
  prefix: TEXT,
  rename: TEXTS_BY_NAME,
  timeoutMs: DURATION_MS,
  workingDir: VIRTUAL_PATH,
};

/** Throws for an unknown option, and for an invalid value; the adapter checks its own options. */
export function requireOptions(options: ToolsetOptions, ownOptions: readonly string[]): void {
  const ofAdapter = Object.fromEntries(ownOptions.map((name) => [name, () => undefined]));
  checkedOptions("This adapter", options, { ...RULES, ...ofAdapter });
}
