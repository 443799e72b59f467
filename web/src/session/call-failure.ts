/** The errors of calls that were stopped, or that ended their worker. */
import { TreeglassError } from "../protocol/errors.ts";
import type { LostMount } from "./kept-state.ts";

/** The fate of the worker: it lives on, or another one replaced it. */
export type Recovery = { readonly isReplaced: false } | Replacement;

interface Replacement {
  readonly isReplaced: true;
  readonly lost: readonly LostMount[];
}

/** A call, as far as its error tells of it. */
interface FailedCall {
  readonly label: string;
  readonly timeoutMs: number;
  /** True if its error is the reason of a `LostMount`. */
  readonly isRestore: boolean;
}

export function timedOut(
  { label, timeoutMs, isRestore }: FailedCall,
  recovery: Recovery,
): TreeglassError {
  if (isRestore) {
    return new TreeglassError("TimedOut", `it took longer than ${timeoutMs / 1000} s`);
  }
  return new TreeglassError(
    "TimedOut",
    `${label} ran longer than its ${timeoutMs} ms and was stopped. ${wordRecovery(recovery)} Ask for less at once, or pass a larger timeoutMs.`,
  );
}

export function workerDied(reason: string, recovery: Recovery): TreeglassError {
  return new TreeglassError("WorkerFailed", `${reason} ${wordRecovery(recovery)}`);
}

/** The call was not made: the tree that it reads may be lost. */
export function mountsLost(lost: readonly LostMount[]): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `${wordLoss(lost)} The call was not made; mount what it needs, and make it again.`,
  );
}

/** No further worker will be started. */
export function workerIsGone(reason: string): TreeglassError {
  return new TreeglassError(
    "WorkerFailed",
    `The worker failed, and no other could take its place: ${reason} Close this client and connect again.`,
  );
}

function wordRecovery(recovery: Recovery): string {
  if (!recovery.isReplaced) {
    return "The mounts are as they were.";
  }
  return recovery.lost.length === 0
    ? "The worker was replaced, and every mount is back."
    : wordLoss(recovery.lost);
}

function wordLoss(lost: readonly LostMount[]): string {
  const each = lost.map(({ path, reason }) => `'${path}' (${reason.replace(/\.$/, "")})`);
  return `The worker was replaced, and what was mounted at ${each.join(", ")} could not be mounted again.`;
}
