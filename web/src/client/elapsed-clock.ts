/** Times the steps of a start or a mount. */
import type { ProgressEvent, TimedProgressEvent } from "../protocol/mount-report.ts";
import type { WorkerStart } from "../protocol/start.ts";
import type { StartPhase, StartReport } from "../protocol/start-report.ts";
import { sharedNowMs } from "../protocol/stopwatch.ts";

/** Counts from its construction. */
export class ElapsedClock {
  readonly #startedMs = sharedNowMs();

  /** Returns a step with the time that has passed. */
  time(event: ProgressEvent): TimedProgressEvent {
    return { ...event, elapsedMs: sharedNowMs() - this.#startedMs };
  }

  /**
   * Returns a report of the phases so far, in the order in which they began.
   *
   * Leaves out phases that had ended before this clock started.
   */
  report({ way, reason, phases }: WorkerStart): StartReport {
    const ownPhases = phases
      .filter(({ startedMs, elapsedMs }) => startedMs + elapsedMs >= this.#startedMs)
      .map((phase): StartPhase => ({ ...phase, startedMs: phase.startedMs - this.#startedMs }))
      .sort((one, other) => one.startedMs - other.startedMs);
    return { way, reason, phases: ownPhases, elapsedMs: sharedNowMs() - this.#startedMs };
  }
}
