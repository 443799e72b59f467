/**
 * Runs one client's requests one at a time, although each may belong to another visit.
 *
 * A visit is one request that the Worker answers, with everything that its code awaits.
 */
import { orAborted, withResolvers } from "../../lib/promises.ts";

const BEAT_MS = 100;
/** A request counts as dropped if it misses so many beats of a request that waits behind it. */
const MAX_MISSED_BEATS = 20;

class Turn {
  /** Counts up while the visit of the request lives; null if it cannot be dropped. */
  beats: number | null = 0;
  readonly #turn = withResolvers();
  #timer: ReturnType<typeof setInterval> | undefined;

  get come(): Promise<void> {
    return this.#turn.promise;
  }

  call(): void {
    this.#turn.resolve();
  }

  /** Beats until `end`, by a timer of the request's own visit. */
  start(onBeat: () => void): void {
    try {
      this.#timer = setInterval(() => {
        this.beats = (this.beats ?? 0) + 1;
        onBeat();
      }, BEAT_MS);
    } catch {
      // The global scope of a Worker has no timers; it is dropped only with its isolate.
      this.beats = null;
    }
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/**
 * Runs one request at a time, in the order of arrival.
 *
 * A runtime may drop a visit with everything that it awaits: no code of it runs any more, not even
 * a `finally`. So each waiting request watches the heartbeats of the requests ahead of it, and
 * removes one that has missed 20 of its own beats:
 *
 *     ahead    beat 1  beat 2  (dropped)
 *     waiting  beat 1  beat 2  beat 3    beat 4 …   beat 22: removes the one ahead, and runs
 *     missed   0       0       1         2          20
 */
export class VisitQueue {
  readonly #queue: Turn[] = [];

  /**
   * Runs a task, at once if the queue is empty.
   *
   * Rejects with the signal's reason if that aborts before the task begins.
   */
  async enqueue<Outcome>(
    task: () => Promise<Outcome>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const turn = new Turn();
    this.#queue.push(turn);
    turn.start(this.#watching(turn));
    try {
      if (this.#queue[0] !== turn) {
        await orAborted(turn.come, signal);
      }
      return await task();
    } finally {
      turn.end();
      this.#leave(turn);
    }
  }

  #leave(turn: Turn): void {
    const place = this.#queue.indexOf(turn);
    if (place !== -1) {
      this.#queue.splice(place, 1);
    }
    if (place === 0) {
      this.#queue[0]?.call();
    }
  }

  /** Returns the action at each beat of a request: it removes requests ahead that were dropped. */
  #watching(turn: Turn): () => void {
    const seen = new Map<Turn, { beats: number | null; missed: number }>();
    return () => {
      for (const ahead of this.#queue.slice(0, Math.max(0, this.#queue.indexOf(turn)))) {
        const before = seen.get(ahead);
        const isSilent = ahead.beats !== null && before?.beats === ahead.beats;
        const missed = isSilent ? before.missed + 1 : 0;
        seen.set(ahead, { beats: ahead.beats, missed });
        if (missed >= MAX_MISSED_BEATS) {
          this.#leave(ahead);
        }
      }
    };
  }
}
