/** One client's requests that have no reply yet, in the order of the calls. */

import { orAborted } from "../lib/or-aborted.ts";
import { notify } from "../lib/report-error.ts";
import type { SavedChanges } from "../protocol/changes.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import { Call, type CallOptions } from "./call.ts";
import { mountsLost, timedOut, workerDied } from "./failure-messages.ts";
import type { LostMount } from "./kept-state.ts";
import { RunningLimits } from "./running-limits.ts";
import type { Sendable } from "./sendable.ts";
import type { ClientChannel, RequestListener } from "./worker-channel.ts";
import type { WorkerSupervisor } from "./worker-supervisor.ts";

/**
 * Posts requests to the present worker, and again to the next one if this one ends.
 *
 * A request that ended its worker is not posted again: its caller gets an error once another worker
 * has the mounts.
 */
export class PendingCalls {
  readonly #owner: WorkerSupervisor;
  readonly #keepChanges: (changes: SavedChanges) => void;
  readonly #onEmpty: () => void;
  readonly #limits: RunningLimits;
  /** Abandoned requests included, until the worker has replied. */
  readonly #calls = new Set<Call>();
  /** Null until a worker has the client's settings and mounts. */
  #channel: ClientChannel | null = null;
  /** Settles when the next request may be posted; null if it may be posted at once. */
  #held: Promise<void> | null = null;
  /** Lost mounts that no caller was told about yet. */
  #lost: readonly LostMount[] = [];

  /**
   * `keepChanges` gets each new record of changes, before the caller that has made it gets its
   * answer. `onEmpty` is called when the worker has replied to the last request.
   */
  constructor(
    owner: WorkerSupervisor,
    keepChanges: (changes: SavedChanges) => void,
    onEmpty: () => void,
  ) {
    this.#owner = owner;
    this.#keepChanges = keepChanges;
    this.#onEmpty = onEmpty;
    this.#limits = new RunningLimits(owner);
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** Performs a request; see `ClientSession.send`. */
  send<M extends ClientMethod>(
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options: CallOptions<M>,
  ): Promise<RequestResults[M]> {
    const { signal } = options;
    const call = new Call(method, sendable, options);
    const abort = () => {
      call.cancel();
      this.#abandon(call, signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#calls.add(call);
    this.#postInTurn(call);
    return call.result.finally(() => signal?.removeEventListener("abort", abort));
  }

  /** Posts the requests to a restored worker, and tells callers what the last one's end cost. */
  resume(channel: ClientChannel, newlyLost: readonly LostMount[]): void {
    this.#channel = channel;
    const lost = [...this.#lost, ...newlyLost];
    let isTold = false;
    for (const call of [...this.#calls]) {
      if (call.wordFailure !== null) {
        this.#drop(call, call.wordFailure({ isReplaced: true, lost }));
        isTold = true;
      } else if (lost.length > 0 && call.method === "callTool") {
        this.#drop(call, mountsLost(lost));
        isTold = true;
      } else {
        this.#post(call);
      }
    }
    // If no caller was told, the next tool call is.
    this.#lost = isTold ? [] : lost;
  }

  /** Forgets a worker that is gone; requests without a reply wait for the next one. */
  suspend(): void {
    this.#channel = null;
    for (const call of this.#calls) {
      call.forgetWorker();
      if (call.isSettled) {
        this.#calls.delete(call);
      }
    }
  }

  /**
   * Blames the running request for the end of the worker, which also lost these mounts.
   *
   * Returns whether there was such a request or mount.
   */
  blame(reason: string, lost: readonly LostMount[]): boolean {
    this.#lost = [...this.#lost, ...lost];
    const running = [...this.#calls].filter((call) => call.run !== null);
    for (const call of running) {
      call.wordFailure = (recovery) => workerDied(reason, recovery);
    }
    return running.length > 0 || lost.length > 0;
  }

  /** Tells whether a caller waits for anything except this request. */
  isWaitingBut(call: Call): boolean {
    return [...this.#calls].some((other) => other !== call && other.isWaiting);
  }

  /** Stops abandoned requests whose grace period is over. */
  stopAbandoned(): void {
    for (const call of this.#calls) {
      if (call.isAbandoned) {
        this.#limits.stop(call);
      }
    }
  }

  /** Rejects all requests; treats the running one as abandoned. */
  failAll(error: unknown): void {
    for (const call of this.#calls) {
      this.#abandon(call, error);
    }
  }

  #postInTurn(call: Call): void {
    if (this.#held === null && call.sendable.prepare === undefined) {
      call.isReady = true;
      this.#post(call);
      if (call.method === "mount") {
        this.#hold(call.result);
      }
    } else {
      this.#hold(this.#postAfter(this.#held, call));
    }
  }

  async #postAfter(held: Promise<void> | null, call: Call): Promise<void> {
    await held;
    try {
      call.withdrawn.throwIfAborted();
      const preparing = call.sendable.prepare?.(call.withdrawn);
      await (preparing && orAborted(preparing, call.withdrawn));
      call.isReady = true;
      this.#post(call);
    } catch (error) {
      this.#drop(call, error);
    }
    // The worker undoes an abandoned mount only when it hears of it, and would run requests before.
    if (call.method === "mount") {
      await call.result;
    }
  }

  #hold(until: Promise<unknown>): void {
    const release = () => {
      if (this.#held === held) {
        this.#held = null;
      }
    };
    const held = until.then(release, release);
    this.#held = held;
  }

  #post(call: Call): void {
    if (call.isSettled) {
      this.#calls.delete(call);
    } else if (this.#channel !== null && call.id === null && call.isReady) {
      if (call.method === "callTool" && this.#lost.length > 0) {
        this.#drop(call, mountsLost(this.#lost));
        this.#lost = [];
        return;
      }
      try {
        call.post(this.#channel, this.#listen(call));
        this.#owner.stopAbandoned();
      } catch (error) {
        this.#drop(call, error);
      }
    }
  }

  #listen(call: Call): RequestListener {
    return {
      began: (run) => {
        call.begin(run);
        this.#limits.set(call);
      },
      progress: (event) => {
        if (!call.isSettled) {
          notify(call.onProgress, event);
        }
      },
      resolved: (result, isLast, changes) => {
        // Also if the caller has abandoned the call: the changes are there.
        if (changes !== undefined) {
          this.#keepChanges(changes);
        }
        this.#end(call);
        if (!call.isSettled) {
          // The compiler does not see that the result is that of the method.
          call.answer(result as RequestResults[ClientMethod]);
          this.#owner.succeeded();
        }
        if (isLast) {
          this.#owner.replace();
        }
      },
      rejected: (error, loss) => {
        if (loss !== "nothing") {
          this.#owner.crashed(error.message, loss);
          return;
        }
        this.#end(call);
        call.fail(call.isStopping ? timedOut(call, { isReplaced: false }) : error);
      },
      cancelled: () => {
        this.#end(call);
        call.fail(timedOut(call, { isReplaced: false }));
      },
    };
  }

  #end(call: Call): void {
    call.end();
    this.#calls.delete(call);
    if (this.isEmpty) {
      this.#onEmpty();
    }
  }

  #drop(call: Call, error: unknown): void {
    this.#calls.delete(call);
    call.fail(error);
  }

  /** Fails a request; drops it if it is unsent, and limits how long a sent one may run. */
  #abandon(call: Call, reason: unknown): void {
    call.fail(reason);
    if (call.id === null) {
      this.#calls.delete(call);
    } else if (call.run !== null && !call.isStopping) {
      this.#limits.set(call);
    }
  }
}
