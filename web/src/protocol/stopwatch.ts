import type { ProgressEvent, TimedProgressEvent } from "./mount-report.ts";
import type { WorkerStart } from "./start.ts";
import type { StartPhase, StartReport } from "./start-report.ts";

/** Times each step of a start by a clock that page and worker share. */
export class Stopwatch {
  readonly phases: StartPhase[] = [];

  /** Returns the outcome of `work`; notes the phase even if `work` fails. */
  async time<Outcome>(
    name: StartPhase["name"],
    work: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const startedMs = sharedNowMs();
    try {
      return await work();
    } finally {
      this.#note(name, startedMs);
    }
  }

  /** The same for synchronous work. */
  timeNow<Outcome>(name: StartPhase["name"], work: () => Outcome): Outcome {
    const startedMs = sharedNowMs();
    try {
      return work();
    } finally {
      this.#note(name, startedMs);
    }
  }

  #note(name: StartPhase["name"], startedMs: number): void {
    this.phases.push({ name, startedMs, elapsedMs: sharedNowMs() - startedMs });
  }
}

/** Milliseconds since 1970; `performance.now()` counts from another origin in each worker. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Times the steps of a start, a mount or a call, from its construction on. */
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
