import type { StartPhase } from "./start-report.ts";

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
