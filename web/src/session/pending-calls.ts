/** One client's requests that have no reply yet. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import { Call, type CallOptions } from "./call.ts";
import { mountsLost, workerDied } from "./failure-messages.ts";
import type { KeptState } from "./kept-state.ts";
import { RunningCalls } from "./running-calls.ts";
import type { Sendable } from "./sendable.ts";
import type { WorkerSupervisor } from "./session.ts";
import type { ClientChannel } from "./worker-channel.ts";

/** A worker that gets the client's settings and mounts, or has them. */
interface Attached {
  readonly channel: ClientChannel;
  isRestored: boolean;
}

/**
 * Posts requests to the present worker, and again to the next one if this one ends.
 *
 * What the client has kept is sent first, as requests too. A request that ended its worker is not
 * posted again: its caller gets an error once another worker has the mounts.
 */
export class PendingCalls {
  readonly #owner: WorkerSupervisor;
  readonly #kept: KeptState;
  readonly #running: RunningCalls;
  /** Abandoned requests included, until the worker has replied. */
  readonly #calls = new Set<Call>();
  #worker: Attached | null = null;
  /** Settles when the next request may be posted; null if it may be posted at once. */
  #held: Promise<void> | null = null;

  /** `onEmpty` is called when the worker has replied to the last request. */
  constructor(owner: WorkerSupervisor, kept: KeptState, onEmpty: () => void) {
    this.#owner = owner;
    this.#kept = kept;
    this.#running = new RunningCalls(owner, kept, (call) => {
      this.#calls.delete(call);
      if (this.isEmpty) {
        onEmpty();
      }
    });
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

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
    this.#enqueue(call);
    return call.result.finally(() => signal?.removeEventListener("abort", abort));
  }

  /**
   * Posts to a worker what restores the kept state, and then the requests; tells whether it has done
   * so, or the worker was gone before.
   *
   * Rejects with the worker's refusal of the settings or of the record.
   */
  async attach(channel: ClientChannel, restores: readonly Call[]): Promise<boolean> {
    const worker = { channel, isRestored: false };
    this.#worker = worker;
    // Posted without waiting: the worker runs one request at a time.
    for (const call of restores) {
      this.#calls.add(call);
      this.#post(call, channel);
    }
    const outcomes = await Promise.allSettled(restores.map(({ result }) => result));
    if (this.#worker !== worker) {
      return false;
    }
    for (const [index, call] of restores.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === "rejected") {
        if (call.method !== "mount") {
          throw outcome.reason;
        }
        this.#kept.lose(call.label, outcome.reason);
      }
    }
    worker.isRestored = true;
    this.#resume();
    return true;
  }

  /** Forgets a worker that is gone; requests without a reply wait for the next one. */
  detach(): void {
    this.#worker?.channel.close();
    this.#worker = null;
    for (const call of this.#calls) {
      if (call.isRestore) {
        if (call.state.is === "fatal") {
          this.#kept.lose(call.label, call.state.wordFailure({ isReplaced: false }));
        }
        call.fail(new TreeglassError("WorkerFailed", "The worker was ended."));
      }
      call.forgetWorker();
      if (call.isSettled) {
        this.#calls.delete(call);
      }
    }
  }

  sayGoodbye(): void {
    this.#worker?.channel.sayGoodbye();
  }

  /** Blames the running request for the end of the worker; returns whether there was one. Call it before `detach`. */
  blame(reason: string): boolean {
    const blamed = [...this.#calls].filter(
      // No caller waits for the settings or the record, and no worker can do without them.
      ({ state, isRestore, method }) =>
        state.is === "running" && (!isRestore || method === "mount"),
    );
    for (const call of blamed) {
      call.blame((recovery) =>
        call.isRestore ? new TreeglassError("WorkerFailed", reason) : workerDied(reason, recovery),
      );
    }
    return blamed.length > 0;
  }

  isWaitingBut(call: Call): boolean {
    return [...this.#calls].some((other) => other !== call && other.isWaiting);
  }

  /** Stops abandoned requests whose grace period is over. */
  stopAbandoned(): void {
    for (const call of this.#calls) {
      this.#running.stopAbandoned(call);
    }
  }

  /** Rejects all requests; treats the running one as abandoned. */
  failAll(error: unknown): void {
    for (const call of this.#calls) {
      this.#abandon(call, error);
    }
  }

  /**
   * Posts a request at once, or after an earlier one whose parameters are still being prepared, or
   * after an earlier mount has settled.
   */
  #enqueue(call: Call): void {
    if (this.#held !== null || call.hasToPrepare) {
      this.#hold(this.#postAfter(this.#held, call));
    } else {
      call.takeTurn();
      this.#postIfRestored(call);
      if (call.method === "mount") {
        this.#hold(call.result);
      }
    }
  }

  async #postAfter(held: Promise<void> | null, call: Call): Promise<void> {
    await held;
    try {
      await call.prepare();
      call.takeTurn();
      this.#postIfRestored(call);
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

  /** Posts all requests whose turn has come, and tells callers what the last worker's end cost. */
  #resume(): void {
    const lost = [...this.#kept.lost];
    let isTold = false;
    for (const call of [...this.#calls]) {
      if (call.state.is === "fatal") {
        this.#drop(call, call.state.wordFailure({ isReplaced: true, lost }));
        isTold = true;
      } else if (lost.length > 0 && call.method === "callTool") {
        this.#drop(call, mountsLost(lost));
        isTold = true;
      } else {
        this.#postIfRestored(call);
      }
    }
    // If no caller was told, the next tool call is.
    if (isTold) {
      this.#kept.takeLost();
    }
  }

  #postIfRestored(call: Call): void {
    if (call.isSettled) {
      this.#calls.delete(call);
    } else if (this.#worker?.isRestored && call.state.is === "due") {
      if (call.method === "callTool" && this.#kept.lost.length > 0) {
        this.#drop(call, mountsLost(this.#kept.takeLost()));
      } else {
        this.#post(call, this.#worker.channel);
      }
    }
  }

  #post(call: Call, channel: ClientChannel): void {
    try {
      call.post(channel, (message) => this.#running.receive(call, message));
      this.#owner.stopAbandoned();
    } catch (error) {
      this.#drop(call, error);
    }
  }

  #drop(call: Call, error: unknown): void {
    this.#calls.delete(call);
    call.fail(error);
  }

  /** Fails a request; drops it if it is unsent, and limits how long a sent one may run. */
  #abandon(call: Call, reason: unknown): void {
    call.fail(reason);
    if (call.state.is === "running") {
      this.#running.limit(call);
    } else if (call.state.is !== "sent") {
      this.#calls.delete(call);
    }
  }
}
