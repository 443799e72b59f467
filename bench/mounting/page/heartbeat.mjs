// Measures in the page how long its main thread was busy with one task.

/**
 * Beats on the main thread as often as it can; remembers the longest time between two beats.
 *
 * A timer would load the thread less, but is late by up to 4 ms anyway. 5,000 files load as fast
 * with the heartbeat as without, within the spread of the runs.
 */
export class Heartbeat {
  #channel = new MessageChannel();
  #lastMs = 0;
  #longestMs = 0;
  #waiting = [];

  constructor() {
    this.#channel.port1.onmessage = () => this.#beat();
  }

  #beat() {
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    for (const resolve of this.#waiting.splice(0)) {
      resolve();
    }
    this.#channel.port2.postMessage(null);
  }

  /** Starts to beat; earlier waits do not count. */
  async start() {
    this.#channel.port2.postMessage(null);
    await this.#nextBeat();
    this.#longestMs = 0;
  }

  /** Ends after one more beat, so that the current block counts; returns the longest time. */
  async stop() {
    await this.#nextBeat();
    this.#channel.port1.close();
    return this.#longestMs;
  }

  #nextBeat() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Returns a function that returns the longest task since now, or null if it is unknown. */
export function watchLongTasks() {
  if (!PerformanceObserver.supportedEntryTypes.includes("longtask")) {
    return () => null;
  }
  let longestMs = 0;
  const take = (entries) => {
    longestMs = Math.max(longestMs, ...entries.map(({ duration }) => duration));
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: "longtask" });
  return () => {
    take(observer.takeRecords());
    observer.disconnect();
    return longestMs;
  };
}
