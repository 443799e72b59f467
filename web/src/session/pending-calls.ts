/** One client's requests that have no reply yet. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ResultReply } from "../protocol/messages.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import { Call } from "./call.ts";
import { mountsLost, workerDied } from "./call-failure.ts";
import type { KeptState } from "./kept-state.ts";
import type { CallOptions, Sendable } from "./sendable.ts";
import type { WorkerSupervisor } from "./session.ts";
import type { ClientChannel, RequestMessage } from "./worker-channel.ts";

/**
 * Posts requests to the present worker, and again to the next one if this one ends.
 *
 * What the client has kept is sent first, as requests too. A request that ended its worker is not
 * posted again: its caller gets an error once another worker has the mounts.
 */
export class PendingCalls {
  readonly #owner: WorkerSupervisor;
  readonly #kept: KeptState;
  readonly #onEmpty: () => void;
  /** Abandoned requests included, until the worker has replied. */
  readonly #calls = new Set<Call>();
  /** The way to a worker that has the client's settings and mounts. */
  #channel: ClientChannel | null = null;
  /** Resolves when the next request may be posted. */
  #turn: Promise<void> = Promise.resolve();

  /** `onEmpty` is called when the worker has replied to the last request. */
  constructor(owner: WorkerSupervisor, kept: KeptState, onEmpty: () => void) {
    this.#owner = owner;
    this.#kept = kept;
    this.#onEmpty = onEmpty;
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
    const call = new Call(this.#owner, method, sendable, options);
    const abort = () => {
      call.cancel();
      this.#abandon(call, signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#calls.add(call);
    this.#turn = this.#turn.then(() => this.#takeTurn(call));
    return call.result.finally(() => signal?.removeEventListener("abort", abort));
  }

  /** Posts to a worker what restores the kept state, each after the one before; see `resume`. */
  restore(channel: ClientChannel): readonly Call[] {
    const restores: Call[] = [];
    // Posted without waiting: the worker runs one request at a time.
    this.#kept.sendAll((method, sendable, options) => {
      const call = new Call(this.#owner, method, sendable, options, true);
      restores.push(call);
      this.#calls.add(call);
      this.#post(call, channel);
    });
    return restores;
  }

  /**
   * Posts all requests whose turn has come to a worker that has the kept state, and tells callers
   * what the last worker's end cost.
   */
  resume(channel: ClientChannel): void {
    this.#channel = channel;
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
        this.#postIfDue(call);
      }
    }
    // If no caller was told, the next tool call is.
    if (isTold) {
      this.#kept.takeLost();
    }
  }

  /** Forgets a worker that is gone; requests without a reply wait for the next one. */
  detach(): void {
    this.#channel = null;
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

  isWaitingBut(call: object): boolean {
    return [...this.#calls].some((other) => other !== call && other.isWaiting);
  }

  /** Stops abandoned requests whose grace period is over. */
  stopAbandoned(): void {
    for (const call of this.#calls) {
      call.stopIfAbandoned();
    }
  }

  /** Rejects all requests; treats the running one as abandoned. */
  failAll(error: unknown): void {
    for (const call of this.#calls) {
      this.#abandon(call, error);
    }
  }

  /**
   * Posts a request once its parameters are prepared; the next turn comes after that, and if it is a
   * mount, once that has settled.
   */
  async #takeTurn(call: Call): Promise<void> {
    try {
      await call.prepare();
      call.takeTurn();
      this.#postIfDue(call);
    } catch (error) {
      this.#drop(call, error);
    }
    // The worker undoes an abandoned mount only when it hears of it, and would run requests before.
    if (call.method === "mount") {
      // Its caller hears of a failure; an abandoned one stays pending until the worker replies.
      await call.result.catch(() => undefined);
    }
  }

  #postIfDue(call: Call): void {
    if (call.isSettled) {
      this.#calls.delete(call);
    } else if (this.#channel !== null && call.state.is === "due") {
      if (call.method === "callTool" && this.#kept.lost.length > 0) {
        this.#drop(call, mountsLost(this.#kept.takeLost()));
      } else {
        this.#post(call, this.#channel);
      }
    }
  }

  #post(call: Call, channel: ClientChannel): void {
    try {
      call.post(channel, (message) => this.#receive(call, message));
      this.#owner.stopAbandoned();
    } catch (error) {
      this.#drop(call, error);
    }
  }

  #receive(call: Call, message: RequestMessage): void {
    switch (message.type) {
      case "began":
        call.begin();
        break;
      case "progress":
        call.report(message.event);
        break;
      case "result":
        this.#receiveResult(call, message);
        break;
      case "error":
        if (message.loss !== "nothing") {
          this.#owner.crashed(message.message, message.loss);
          break;
        }
        this.#end(call);
        call.refuse(new TreeglassError(message.name, message.message));
        break;
      case "cancelled":
        this.#end(call);
        call.refuse(null);
    }
  }

  #receiveResult(call: Call, { result, isLast, changes }: ResultReply): void {
    // Also if the caller has abandoned the call: the changes are there.
    if (changes !== undefined && !call.isRestore) {
      this.#kept.keepChanges(changes);
    }
    this.#end(call);
    // The compiler does not see that the result is that of the method.
    if (call.answer(result as RequestResults[ClientMethod]) && !call.isRestore) {
      this.#owner.succeeded();
    }
    if (isLast) {
      this.#owner.replace();
    }
  }

  /** Notes the worker's reply; the call settles after that. */
  #end(call: Call): void {
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
    if (call.state.is === "running") {
      call.limit();
    } else if (call.state.is !== "sent") {
      this.#calls.delete(call);
    }
  }
}
