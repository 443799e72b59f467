/** What a page says of the tools that it hands over, and what it hears of each call. */
import { isStringList } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolResult } from "../protocol/tools.ts";
import type { Approve } from "./approval.ts";
import { type OutputProfile, type OutputProfileName, toOutputProfile } from "./output-profile.ts";

/** What the page says of the tools that it hands over; every adapter takes these. */
export interface ToolsetOptions {
  /** The tools that the host gets, by their own names. @default all that are offered */
  readonly allow?: readonly string[];
  /** The tools that it does not get; these win over `allow`. @default [] */
  readonly deny?: readonly string[];
  /**
   * Tools of the host's own, by the names that the model sees: an adapter that answers a whole
   * message leaves their calls alone. @default []
   */
  readonly answeredElsewhere?: readonly string[];
  /** Put before every name, such as `repo_`. @default "" */
  readonly prefix?: string;
  /** Names that the host sees instead, by the tools' own names; no prefix is put before these. */
  readonly rename?: Readonly<Record<string, string>>;
  /**
   * The most that one call gives the model; null leaves it to the configuration.
   * @default the adapter's own, where its host has a known budget
   */
  readonly output?: OutputProfileName | OutputProfile | null;
  /** Whether one short line that tells the model how to go on follows what was cut. @default false */
  readonly guide?: boolean;
  /**
   * How long one call may run, in milliseconds, all tries for a budget together.
   * @default the client's, for each try
   */
  readonly timeoutMs?: number;
  /** The virtual directory that relative paths start from. @default the client's */
  readonly workingDir?: string;
  /** Asked before each call; where it says no, or throws, the model is told so. */
  readonly approve?: Approve;
  /** Told of each call when it is over, whatever became of it. */
  readonly onCall?: (event: CallEvent) => void;
}

/** What became of one call, for a host's log. */
export interface CallEvent {
  /** The name that the model used. */
  readonly name: string;
  /** The tool's own name; null where there is no such tool. */
  readonly tool: string | null;
  /** The host's id of the call; null where it has none. */
  readonly callId: string | null;
  /** As the model sent them. */
  readonly arguments: unknown;
  /**
   * `answered` where the tool ran, also if its answer is an error; `refused` by the page; `unknown`
   * where there is no such tool; `failed` where the call could not be made, or was stopped;
   * `aborted` by the signal.
   */
  readonly outcome: "answered" | "refused" | "unknown" | "failed" | "aborted";
  /** What the model is given; empty where the call was aborted. */
  readonly text: string;
  readonly isError: boolean;
  readonly truncated: boolean;
  /** The text's size in UTF-8. */
  readonly sizeBytes: number;
  /** About what the text takes of the model's context. */
  readonly estimatedTokens: number;
  /** From when the host called until the answer, a person's consent included. */
  readonly elapsedMs: number;
  /** The tool's own answer; null where it gave none. */
  readonly result: ToolResult | null;
}

const OPTION_NAMES: readonly string[] = [
  "allow",
  "answeredElsewhere",
  "approve",
  "deny",
  "guide",
  "onCall",
  "output",
  "prefix",
  "rename",
  "timeoutMs",
  "workingDir",
] satisfies (keyof ToolsetOptions)[];

/**
 * Throws `BadRequest` for an option that there is not, or whose value makes no sense.
 *
 * A policy that is misspelled would allow everything, and no page would hear of it.
 */
export function requireOptions(options: ToolsetOptions, ownOptions: readonly string[]): void {
  const known = [...OPTION_NAMES, ...ownOptions];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TreeglassError(
      "BadRequest",
      `There is no option ${unknown}; there are ${known.join(", ")}.`,
    );
  }
  const { allow = [], answeredElsewhere = [], deny = [], approve, onCall, output = null } = options;
  const { timeoutMs = Infinity, workingDir = "/" } = options;
  toOutputProfile(output);
  if (![allow, answeredElsewhere, deny].every(isStringList)) {
    throw new TreeglassError("BadRequest", "allow, deny and answeredElsewhere are lists of names.");
  }
  if ([approve, onCall].some((given) => given !== undefined && typeof given !== "function")) {
    throw new TreeglassError("BadRequest", "approve and onCall are functions.");
  }
  if (!(typeof timeoutMs === "number" && timeoutMs > 0)) {
    throw new TreeglassError("BadRequest", "timeoutMs is a number of milliseconds above 0.");
  }
  if (!(typeof workingDir === "string" && workingDir.startsWith("/"))) {
    throw new TreeglassError("BadRequest", "workingDir is an absolute virtual path such as /repo.");
  }
}
