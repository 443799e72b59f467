// How long the page's main thread was busy with one thing, seen from the page itself.

/**
 * Beats on the main thread as often as it can; remembers the longest time between two beats.
 *
 * A timer would be kinder to the thread but is late by up to 4 ms on its own. 5,000 files load as
 * fast with a heart beside them as without, as far as runs of either agree with one another.
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

  /** Starts to beat; what was before does not count. */
  async start() {
    this.#channel.port2.postMessage(null);
    await this.#nextBeat();
    this.#longestMs = 0;
  }

  /** Ends after one more beat, so that a block up to now counts, and returns the longest time. */
  async stop() {
    await this.#nextBeat();
    this.#channel.port1.close();
    return this.#longestMs;
  }

  #nextBeat() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Returns a function that tells the longest task since now, or null where none is told. */
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
