/** What is said of a call that was stopped, or that its worker did not survive. */
import { TreeglassError } from "../protocol/errors.ts";
import type { LostMount } from "./kept-state.ts";

/** What became of the worker: it goes on, or another one took its place. */
export type Recovery = { readonly isReplaced: false } | Replacement;

interface Replacement {
  readonly isReplaced: true;
  readonly lost: readonly LostMount[];
}

/** The call ran longer than it may. */
export function timedOut(label: string, timeoutMs: number, recovery: Recovery): TreeglassError {
  return new TreeglassError(
    "TimedOut",
    `${label} ran longer than its ${timeoutMs} ms and was stopped. ${wordRecovery(recovery)} Ask for less at once, or pass a larger timeoutMs.`,
  );
}

/** The worker did not survive the call. */
export function workerDied(reason: string, recovery: Recovery): TreeglassError {
  return new TreeglassError("WorkerFailed", `${reason} ${wordRecovery(recovery)}`);
}

/** The call was not made: what it would have looked at may be gone. */
export function mountsLost(lost: readonly LostMount[]): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `${wordLoss(lost)} The call was not made; mount what it needs, and make it again.`,
  );
}

/** No worker can be had any more. */
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
