import type { StartPhase } from "./start-report.ts";

/** Notes how long each step of a start takes, by a clock that page and worker share. */
export class Stopwatch {
  readonly phases: StartPhase[] = [];

  /** Returns what `work` comes to; the phase is noted also where it fails. */
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

  /** The same for what is done at once. */
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

/** Milliseconds since 1970; `performance.now()` counts from another moment in each worker. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now();
}
