/** The time-outs of a call. */
import type { ConfigDocument } from "../generated/config.ts";

/** Lets a tool report its own time-out first, which it checks only now and then. */
const TOOL_TIMEOUT_GRACE_MS = 5000;
/** The part of a call's time-out, and the most of it, that its tool does not get. */
const TOOL_MARGIN = 0.2;
const MAX_TOOL_MARGIN_MS = 1000;
/** The wheel's default for both time-outs of a tool. */
const DEFAULT_TIMEOUT_SECONDS = 30;

/**
 * Returns how long a call may run unless it says so itself, in milliseconds.
 *
 * That is the longer of a tool's configured time-outs, and `TOOL_TIMEOUT_GRACE_MS` more.
 */
export function defaultTimeoutMs({ tools }: ConfigDocument): number {
  const { default_seconds, file_operations_seconds } = tools?.timeouts ?? {};
  const seconds = Math.max(
    default_seconds ?? DEFAULT_TIMEOUT_SECONDS,
    file_operations_seconds ?? DEFAULT_TIMEOUT_SECONDS,
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
