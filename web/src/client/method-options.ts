/** The options and arguments of the client's methods, and what each takes. */

import { type ConfigDocument, DEFAULT_TIMEOUTS } from "../generated/config.ts";
import { isCount, isRecord, isStringList } from "../lib/checks.ts";
import { reasonOf } from "../lib/report-error.ts";
import { LONE_SURROGATES } from "../lib/well-formed.ts";
import { TreeglassError } from "../protocol/errors.ts";
import {
  LIMIT_NAMES,
  type MountLimits,
  type ProgressEvent,
  type TimedProgressEvent,
} from "../protocol/mount-report.ts";
import {
  BOOLEAN,
  BYTES,
  DURATION_MS,
  FUNCTION,
  type OptionRules,
  requireAbsolute,
  rule,
  SIGNAL,
  TEXT,
  VIRTUAL_PATH,
} from "../protocol/options.ts";
import { ElapsedClock } from "../protocol/stopwatch.ts";

/** Options of a mount. */
export interface MountOptions {
  readonly onProgress?: (event: TimedProgressEvent) => void;
  /** Aborting leaves nothing mounted. */
  readonly signal?: AbortSignal;
  /** Limits other than the defaults; see `MountLimits`. */
  readonly limits?: Partial<MountLimits>;
  /**
   * Names (`node_modules`, `*.pyc`) and paths (`docs/build`, `src/**\/test`) to leave out, with
   * everything below them. @default []
   */
  readonly skip?: readonly string[];
  /**
   * Replaces the tree that is mounted at the path. That tree stays until the new one is mounted,
   * and stays for good if this mount fails or is aborted. @default false
   */
  readonly replace?: boolean;
}

/** Options of a tool call. */
export interface CallToolOptions {
  /**
   * Aborting rejects at once. A call that still runs a second later is stopped as soon as another
   * request waits.
   */
  readonly signal?: AbortSignal;
  /**
   * The time after which the call is stopped, in milliseconds above 0; the time in the queue
   * does not count. `Infinity` lets it run on. The tool has a fifth less, or a second less if that
   * is less, in which it answers with what it has found.
   * @default the longer of `default_seconds` and `file_operations_seconds` of the configuration's
   * `[tools.timeouts]`, and five seconds more, so that a tool can word its own time-out first
   */
  readonly timeoutMs?: number;
  /** Called while the call waits for content: every 100 ms, if it waits that long. */
  readonly onProgress?: (event: TimedProgressEvent) => void;
  /** Most UTF-8 bytes of the content. @default the configuration's limit */
  readonly maxOutputBytes?: number;
  /** The bytes that are left in the model's context; may be 0. */
  readonly availableCapacityBytes?: number;
  /** The virtual directory that relative paths start from, for this call. */
  readonly workingDir?: string;
  /**
   * True if a null of an optional argument means that the argument is absent; for hosts with strict
   * schemas, whose models send null for every argument that they leave out. @default false
   */
  readonly nullsAreAbsent?: boolean;
  /** The host's name for the turn, such as `turn 2`, for the step that the call makes. */
  readonly group?: string;
  /**
   * Milliseconds since 1970 that files get which the call changes, so that a recording is the same
   * again. A change before may already have that time: then they get a later one.
   * @default the clock's
   */
  readonly timeMs?: number;
}

const KNOWN_LIMITS = `the known ones are ${LIMIT_NAMES.join(", ")}`;

/** Throws `BadRequest` unless the value is an object of known limits. */
function requireLimits(limits: unknown): void {
  if (!isRecord(limits)) {
    throw new TreeglassError("BadRequest", `The limits of a mount are an object; ${KNOWN_LIMITS}.`);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (!LIMIT_NAMES.includes(name)) {
      throw new TreeglassError("BadRequest", `A mount has no limit ${name}; ${KNOWN_LIMITS}.`);
    }
    if (!isCount(limit)) {
      throw new TreeglassError("BadRequest", `The limit ${name} is a whole number from 0 on.`);
    }
  }
}

export const MOUNT_RULES: OptionRules<MountOptions> = {
  limits: requireLimits,
  onProgress: FUNCTION,
  replace: BOOLEAN,
  signal: SIGNAL,
  skip: rule("a list of names and globs", isStringList),
};

/** The options that decide what a call means, so that a person approves them too. */
export type MeaningOptions = Pick<CallToolOptions, "nullsAreAbsent" | "workingDir">;

/** The options that only bound the run of a call. */
export type RunOptions = Omit<CallToolOptions, keyof MeaningOptions>;

export const MEANING_RULES: OptionRules<MeaningOptions> = {
  nullsAreAbsent: BOOLEAN,
  workingDir: VIRTUAL_PATH,
};

export const RUN_RULES: OptionRules<RunOptions> = {
  availableCapacityBytes: BYTES,
  group: TEXT,
  maxOutputBytes: BYTES,
  onProgress: FUNCTION,
  signal: SIGNAL,
  timeMs: rule("a whole number from 0 on", isCount),
  timeoutMs: DURATION_MS,
};

/** Returns what tells a listener of a request's steps, each with the time since now. */
export function timed(onProgress: ((event: TimedProgressEvent) => void) | undefined) {
  if (onProgress === undefined) {
    return undefined;
  }
  const clock = new ElapsedClock();
  return (event: ProgressEvent) => onProgress(clock.time(event));
}

/** Returns an absolute path in its shortest spelling; throws `WorkspaceInvalid` for any other value. */
export function toMountPath(path: unknown): string {
  const names = requireAbsolute("mount path", path).split("/");
  return `/${names.filter(Boolean).join("/")}`;
}

/**
 * Returns the arguments as JSON text that any reader accepts.
 *
 * A lone surrogate is escaped, so that the tool refuses it in its own words.
 */
export function toArgumentsText(args: object | string): string {
  if (typeof args === "string") {
    return args.replace(
      LONE_SURROGATES,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(args);
  } catch (cause) {
    const message = `The arguments cannot be JSON: ${reasonOf(cause)}`;
    throw new TreeglassError("BadRequest", message, { cause });
  }
  if (text === undefined) {
    throw new TreeglassError("BadRequest", "The arguments are an object, or its JSON text.");
  }
  return text;
}

/** Lets a tool report its own time-out first, which it checks only now and then. */
const TOOL_TIMEOUT_GRACE_MS = 5000;
/** The part of a call's time-out, and the most of it, that its tool does not get. */
const TOOL_MARGIN = 0.2;
const MAX_TOOL_MARGIN_MS = 1000;

/**
 * Returns how long a call may run unless it says so itself, in milliseconds.
 *
 * That is the longer of a tool's configured time-outs, and `TOOL_TIMEOUT_GRACE_MS` more.
 */
export function defaultTimeoutMs({ tools }: ConfigDocument): number {
  const { default_seconds, file_operations_seconds } = tools?.timeouts ?? {};
  const seconds = Math.max(
    default_seconds ?? DEFAULT_TIMEOUTS.default_seconds,
    file_operations_seconds ?? DEFAULT_TIMEOUTS.file_operations_seconds,
  );
  return seconds * 1000 + TOOL_TIMEOUT_GRACE_MS;
}

/**
 * Returns how long the tool of a call may take that may run for `timeoutMs`, in whole milliseconds,
 * since an answer may name it.
 *
 * That is less, since a tool looks at the clock only now and then, and needs time to answer with
 * what it has found. Undefined for a time-out that no clock reaches, which sets no limit, and for
 * one below a second, since tools name whole seconds.
 */
export function toolTimeoutMs(timeoutMs: number): number | undefined {
  return timeoutMs >= 1000 && timeoutMs <= Number.MAX_SAFE_INTEGER
    ? Math.ceil(timeoutMs - Math.min(timeoutMs * TOOL_MARGIN, MAX_TOOL_MARGIN_MS))
    : undefined;
}
