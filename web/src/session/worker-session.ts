/** One client's requests, in order, over one worker after another. */

import { notify } from "../lib/report-error.ts";
import type { TreeglassError } from "../protocol/errors.ts";
import type { Method, RequestResults, Settings } from "../protocol/methods.ts";
import { type Ask, Call, type CallOptions, orWithdrawn } from "./call.ts";
import type { ClientSession, ToHostPath } from "./client-session.ts";
import {
  mountsLost,
  type Recovery,
  timedOut,
  workerDied,
  workerIsGone,
} from "./failure-messages.ts";
import { letProgramEnd } from "./idle-port.ts";
import { KeptState, type LostMount } from "./kept-state.ts";
import { Restoration } from "./restoration.ts";
import { RunningLimits } from "./running-limits.ts";
import { type RequestListener, WorkerChannel } from "./worker-channel.ts";
import type { WorkerProcess } from "./worker-process.ts";
import type { WorkerSupervisor } from "./worker-supervisor.ts";

/**
 * Sends requests, and sends them again to a replacement worker.
 *
 * Keeps what the worker has confirmed, to restore it in the next one. Unanswered requests are sent
 * again, except the one that crashed the worker.
 */
export class WorkerSession implements ClientSession {
  readonly kept: KeptState;
  /** Resolves when a worker has accepted the settings; rejects if it refuses them. */
  readonly opened: Promise<void>;
  readonly #owner: WorkerSupervisor;
  /** Requests in flight, abandoned ones included. */
  readonly #calls = new Set<Call>();
  /** Calls that ended a worker, each with the function that words its error. */
  readonly #culprits = new Map<Call, (recovery: Recovery) => TreeglassError>();
  readonly #limits: RunningLimits;
  #channel: WorkerChannel | null = null;
  #restoration: Restoration | null = null;
  /** Whether any worker has accepted the settings. */
  #isOpen = false;
  #open: () => void = () => undefined;
  #refuse: (error: unknown) => void = () => undefined;
  /** Settles when every held call is posted or dropped; null if none is held. */
  #held: Promise<void> | null = null;
  /** Lost mounts that no caller has heard of yet. */
  #lost: readonly LostMount[] = [];
  #failure: TreeglassError | null = null;

  constructor(owner: WorkerSupervisor, settings: Settings) {
    this.#owner = owner;
    this.#limits = new RunningLimits(owner, {
      cancel: (id) => this.#channel?.cancel(id),
      giveUp: (call) => {
        this.#condemn(call, (recovery) => timedOut(call.label, call.timeoutMs, recovery));
        owner.replace();
      },
    });
    this.kept = new KeptState(settings);
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#refuse = reject;
    });
    this.opened.catch(() => undefined);
  }

  /**
   * Sends a request and returns its result.
   *
   * Posts requests in the order of the calls: at once, or after an earlier request whose parameters
   * are still being computed, or after an earlier mount has settled.
   *
   * Rejects with a `TreeglassError`, or with the signal's reason as soon as that aborts.
   */
  send<M extends Method>(
    method: M,
    ask: Ask<M>,
    options: CallOptions<M> = {},
  ): Promise<RequestResults[M]> {
    const { signal } = options;
    let abort = () => {};
    this.#owner.beginWait();
    return new Promise<RequestResults[M]>((resolve, reject) => {
      if (this.#failure !== null) {
        throw this.#failure;
      }
      signal?.throwIfAborted();
      const call = new Call(method, options, { resolve, reject });
      abort = () => this.#withdraw(call, signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      this.#calls.add(call);
      this.#postInTurn(call, ask);
    }).finally(() => {
      signal?.removeEventListener("abort", abort);
      this.#owner.endWait();
    });
  }

  get toHostPath(): ToHostPath | undefined {
    return this.#owner.toHostPath;
  }

  /** Restores the kept state in a worker and sends it the unanswered requests. Never rejects. */
  async attach(process: Pick<WorkerProcess, "openPort" | "sendBlob">): Promise<void> {
    const port = process.openPort();
    const channel = new WorkerChannel(port, process.sendBlob, () =>
      this.#owner.crashed("A message of the worker could not be read."),
    );
    const restoration = new Restoration(this.kept, channel, (reason) =>
      this.#owner.crashed(reason),
    );
    this.#restoration = restoration;
    port.start();
    letProgramEnd(port);
    const outcome = await restoration.outcome;
    if (outcome === null || this.#restoration !== restoration) {
      return;
    }
    if ("refusal" in outcome) {
      this.#hearRefusal(outcome.refusal);
      return;
    }
    this.#restoration = null;
    this.#isOpen = true;
    this.#channel = channel;
    this.#lost = [...this.#lost, ...outcome.lost];
    this.#open();
    this.#tellCulprits();
    this.#postAll();
  }

  #hearRefusal(refusal: unknown): void {
    const reason = refusal instanceof Error ? refusal.message : String(refusal);
    const error = workerIsGone(`It did not take the settings: ${reason}`);
    if (this.#isOpen) {
      this.close(error);
    } else {
      // The caller of `connect` receives the refusal itself, and closes the session.
      this.#refuse(refusal);
      this.fail(error);
    }
  }

  /** Forgets a worker that is gone; unanswered requests wait for the next one. */
  detach(): void {
    this.#channel?.close();
    this.#channel = null;
    this.#restoration?.stop();
    this.#restoration = null;
    this.kept.release();
    for (const call of [...this.#calls, ...this.#culprits.keys()]) {
      call.forgetWorker();
      if (call.isSettled) {
        this.#calls.delete(call);
      }
    }
  }

  /** Blames the running call for the end of the worker; call it before `detach`. */
  blame(reason: string): void {
    for (const call of this.#calls) {
      if (call.run !== null) {
        this.#condemn(call, (recovery) => workerDied(reason, recovery));
      }
    }
    const lost = this.#restoration?.dropRunning(reason) ?? null;
    if (lost !== null) {
      this.#lost = [...this.#lost, lost];
    }
  }

  /** Tells whether a caller waits for anything except this call. */
  isWaitingBut(call: Call): boolean {
    return [...this.#calls].some((other) => other !== call && !other.isSettled);
  }

  /** Stops abandoned calls whose grace period is over. */
  stopAbandoned(): void {
    for (const call of this.#calls) {
      if (call.isAbandoned) {
        this.#limits.stop(call);
      }
    }
  }

  /** Whether it is closed while a shared worker may still run one of its calls. */
  get isLingering(): boolean {
    return this.#failure !== null && this.#calls.size > 0;
  }

  /**
   * Ends the session; the worker goes on only if other sessions share it.
   *
   * Its running call is then treated as abandoned.
   */
  close(error: TreeglassError): void {
    if (this.#failure === null && this.#owner.hasOthers(this)) {
      this.#rejectAll(error);
      for (const call of [...this.#calls]) {
        this.#limitAbandoned(call);
      }
    }
    if (!this.isLingering) {
      this.fail(error);
    }
    this.#owner.leave(this);
  }

  /** Rejects all pending and later requests, and releases all mounts. */
  fail(error: TreeglassError): void {
    this.#rejectAll(error);
    this.detach();
    this.#calls.clear();
    this.#culprits.clear();
  }

  #rejectAll(error: TreeglassError): void {
    if (this.#failure === null) {
      // A worker that goes on for other sessions has to remove the mounts itself.
      (this.#channel ?? this.#restoration?.channel)?.sayGoodbye();
    }
    this.#failure ??= error;
    this.#refuse(error);
    for (const call of [...this.#calls, ...this.#culprits.keys()]) {
      call.fail(error);
    }
    this.kept.release();
    this.kept.mounts.clear();
  }

  #postInTurn<M extends Method>(call: Call<M>, ask: Ask<M>): void {
    if (this.#held === null && "now" in ask) {
      call.prepare = ask.now;
      this.#post(call);
      this.#holdBehind(call);
      return;
    }
    const posted = (this.#held ?? Promise.resolve())
      .then(async () => {
        call.withdrawn.throwIfAborted();
        call.prepare = "now" in ask ? ask.now : await orWithdrawn(call, ask.later(call.withdrawn));
        this.#post(call);
      })
      // Skip an abandoned request, but advance the queue.
      .catch((error) => this.#drop(call, error));
    this.#holdBehind(call, posted);
  }

  /**
   * Holds later requests until a request is posted, and a mount has settled.
   *
   * The worker undoes an abandoned mount only when it hears of it, and would run requests before.
   */
  #holdBehind(call: Call, posted?: Promise<void>): void {
    const settled = call.method === "mount" ? call.settled : undefined;
    if (posted === undefined && settled === undefined) {
      return;
    }
    const held = Promise.resolve(posted)
      .then(() => settled)
      .finally(() => {
        if (this.#held === held) {
          this.#held = null;
        }
      });
    this.#held = held;
  }

  #postAll(): void {
    for (const call of [...this.#calls]) {
      this.#post(call);
    }
  }

  #post(call: Call): void {
    if (call.isSettled) {
      this.#calls.delete(call);
    } else if (this.#channel !== null && call.id === null && call.prepare !== null) {
      if (call.method === "callTool" && this.#lost.length > 0) {
        this.#drop(call, mountsLost(this.#lost));
        this.#lost = [];
        return;
      }
      try {
        const params = call.makeParams(call.prepare, this.#channel.sendBlob);
        call.id = this.#channel.post(call.method, params, this.#listen(call));
        this.#owner.stopAbandoned();
      } catch (error) {
        this.#drop(call, error);
      }
    }
  }

  #listen(call: Call): RequestListener {
    const channel = this.#channel;
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
      resolved: (result) => {
        this.#end(call);
        if (call.isSettled) {
          return;
        }
        if (call.answer(result)) {
          this.#owner.succeeded();
          channel?.acknowledge(call);
        } else if (call.id !== null) {
          // The client cannot know this mount, so the worker must not keep it.
          channel?.cancel(call.id);
        }
      },
      rejected: (error, isFatal) => {
        if (isFatal) {
          this.#owner.crashed(error.message);
          return;
        }
        this.#end(call);
        call.fail(call.isStopping ? wasStopped(call) : error);
      },
      cancelled: () => {
        this.#end(call);
        call.fail(wasStopped(call));
      },
    };
  }

  #end(call: Call): void {
    call.forgetTimer();
    call.run = null;
    this.#calls.delete(call);
    if (this.#failure !== null && this.#calls.size === 0) {
      this.close(this.#failure);
    }
  }

  #drop(call: Call, error: unknown): void {
    this.#calls.delete(call);
    call.fail(error);
  }

  #withdraw(call: Call, reason: unknown): void {
    call.fail(reason);
    if (call.id !== null) {
      this.#channel?.cancel(call.id);
    }
    this.#limitAbandoned(call);
  }

  /** Drops an unsent abandoned call; limits how long a sent one may run. */
  #limitAbandoned(call: Call): void {
    if (call.id === null) {
      this.#calls.delete(call);
    } else if (call.run !== null && !call.isStopping) {
      this.#limits.set(call);
    }
  }

  #condemn(call: Call, word: (recovery: Recovery) => TreeglassError): void {
    this.#calls.delete(call);
    this.#culprits.set(call, word);
  }

  #tellCulprits(): void {
    const waiting = [...this.#calls].filter(({ method }) => method === "callTool");
    const told = [...this.#culprits.keys()].filter((call) => !call.isSettled);
    const lost = this.#lost;
    for (const [call, word] of this.#culprits) {
      call.fail(word({ isReplaced: true, lost }));
    }
    this.#culprits.clear();
    if (lost.length > 0) {
      for (const call of waiting) {
        this.#drop(call, mountsLost(lost));
      }
      // If no caller was told, the next tool call is.
      this.#lost = told.length + waiting.length > 0 ? [] : lost;
    }
  }
}

function wasStopped({ label, timeoutMs }: Call): TreeglassError {
  return timedOut(label, timeoutMs, { isReplaced: false });
}
