/** Since when something is going on. */
import type { ProgressEvent, TimedProgressEvent } from "../protocol/mount-report.ts";
import type { WorkerStart } from "../protocol/start.ts";
import type { StartPhase, StartReport } from "../protocol/start-report.ts";
import { sharedNowMs } from "../protocol/stopwatch.ts";

/** Counts from its making. */
export class ElapsedClock {
  readonly #startedMs = sharedNowMs();

  /** Returns a step with the time until now. */
  time(event: ProgressEvent): TimedProgressEvent {
    return { ...event, elapsedMs: sharedNowMs() - this.#startedMs };
  }

  /**
   * Returns a report of what was done up to now, in the order in which it began.
   *
   * What others had waited for before is not a part of it.
   */
  report({ way, reason, phases }: WorkerStart): StartReport {
    const ownPhases = phases
      .filter(({ startedMs, elapsedMs }) => startedMs + elapsedMs >= this.#startedMs)
      .map((phase): StartPhase => ({ ...phase, startedMs: phase.startedMs - this.#startedMs }))
      .sort((one, other) => one.startedMs - other.startedMs);
    return { way, reason, phases: ownPhases, elapsedMs: sharedNowMs() - this.#startedMs };
  }
}
