/** One client's requests, one after the other, although each may be a part of another visit. */
import { orAborted } from "../../lib/or-aborted.ts";

/** How often a request that takes time says that it is still there. */
const BEAT_MS = 100;
/** Beats of whoever waits, in which one ahead said nothing: it was dropped with its visit. */
const MAX_MISSED_BEATS = 20;

/** A request in the line. */
class Turn {
  /** Counts up while whoever made the request is there; null where nobody can be dropped. */
  beats: number | null = 0;
  readonly come: Promise<void>;
  #call: () => void = () => undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    this.come = new Promise((resolve) => {
      this.#call = resolve;
    });
  }

  call(): void {
    this.#call();
  }

  /** Beats until `end`, by a timer of the visit that the request is a part of. */
  start(onBeat: () => void): void {
    try {
      this.#timer = setInterval(() => {
        this.beats = (this.beats ?? 0) + 1;
        onBeat();
      }, BEAT_MS);
    } catch {
      // The global scope of a Worker has no timers, and cannot be dropped without its isolate.
      this.beats = null;
    }
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/**
 * Lets one request run at a time, in the order in which they came.
 *
 * A runtime may drop a visit with everything that it waits for: nothing of it runs any more, no
 * `finally` either. So whoever waits looks by itself whether those ahead of it are still there.
 */
export class VisitQueue {
  readonly #queue: Turn[] = [];

  /**
   * Runs a task, at once where nothing is ahead of it.
   *
   * Rejects with the signal's reason where that aborts before the task's turn has come.
   */
  async take<Outcome>(
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

  /** Returns what a request does at each of its beats: it takes out those ahead that are gone. */
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
