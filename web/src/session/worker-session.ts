/** One client's session with a worker, or with one worker after another. */

import { withResolvers } from "../lib/promises.ts";
import { reasonOf } from "../lib/report-error.ts";
import type { TreeglassError } from "../protocol/errors.ts";
import type { ClientMethod, RequestParams, RequestResults, Settings } from "../protocol/methods.ts";
import { workerIsGone } from "./call-failure.ts";
import { type ChangeOptions, KeptState } from "./kept-state.ts";
import { PendingCalls } from "./pending-calls.ts";
import type { CallOptions, Sendable } from "./sendable.ts";
import type { ClientSession, ToHostPath, WorkerSupervisor } from "./session.ts";
import type { ClientChannel } from "./worker-channel.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** Keeps what a worker has confirmed, and restores it in the next one before any request. */
export class WorkerSession implements ClientSession {
  readonly kept: KeptState;
  readonly calls: PendingCalls;
  readonly #owner: WorkerSupervisor;
  readonly #opening = withResolvers();
  /** The way to the present worker, which may not have the kept state yet. */
  #channel: ClientChannel | null = null;
  #isOpen = false;
  #failure: TreeglassError | null = null;

  constructor(owner: WorkerSupervisor, settings: Settings, changes?: ChangeOptions) {
    this.#owner = owner;
    this.kept = new KeptState(settings, changes);
    this.calls = new PendingCalls(owner, this.kept, () => {
      if (this.#failure !== null) {
        this.close(this.#failure);
      }
    });
    this.opened.catch(() => undefined);
  }

  /** Resolves when a worker has accepted the settings; rejects if it refuses them. */
  get opened(): Promise<void> {
    return this.#opening.promise;
  }

  get toHostPath(): ToHostPath | undefined {
    return this.#owner.toHostPath;
  }

  /** True if it is closed while a shared worker may still run one of its calls. */
  get isLingering(): boolean {
    return this.#failure !== null && !this.calls.isEmpty;
  }

  async send<M extends ClientMethod>(
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options: CallOptions<M> = {},
  ): Promise<RequestResults[M]> {
    const letEnd = this.#owner.stayAlive();
    try {
      if (this.#failure !== null) {
        throw this.#failure;
      }
      options.signal?.throwIfAborted();
      return await this.calls.send(method, sendable, options);
    } finally {
      letEnd();
    }
  }

  /** Restores the kept state in a worker and sends it the unanswered requests. Never rejects. */
  async attach(process: Pick<WorkerProcess, "openClient">): Promise<void> {
    const channel = process.openClient();
    this.#channel = channel;
    try {
      if (await this.#restore(channel)) {
        this.#isOpen = true;
        this.#opening.resolve();
      }
    } catch (refusal) {
      // All requests of a session that is closed are rejected, these too.
      if (this.#failure === null) {
        this.#hearRefusal(refusal);
      }
    }
  }

  /**
   * Restores the kept state and lets requests go; tells whether it has done so, or the worker was
   * gone before.
   *
   * Rejects with the worker's refusal of the settings or of the record.
   */
  async #restore(channel: ClientChannel): Promise<boolean> {
    const restores = this.calls.restore(channel);
    const outcomes = await Promise.allSettled(restores.map(({ result }) => result));
    if (this.#channel !== channel) {
      return false;
    }
    for (const [index, { method, label }] of restores.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === "rejected") {
        if (method !== "mount") {
          throw outcome.reason;
        }
        this.kept.lose(label, outcome.reason);
      }
    }
    this.calls.resume(channel);
    return true;
  }

  #hearRefusal(refusal: unknown): void {
    const reason = reasonOf(refusal);
    const error = workerIsGone(`It did not take the settings: ${reason}`);
    if (this.#isOpen) {
      this.close(error);
    } else {
      // The caller of `connect` receives the refusal itself, and closes the session.
      this.#opening.reject(refusal);
      this.fail(error);
    }
  }

  /** Forgets a worker or an interpreter that is gone; unanswered requests wait for the next one. */
  detach({ workerGoesOn } = { workerGoesOn: false }): void {
    if (workerGoesOn) {
      // It would run what it has queued.
      this.#channel?.sayGoodbye();
    }
    this.kept.release();
    this.#channel?.close();
    this.#channel = null;
    this.calls.detach();
  }

  /**
   * Ends the session; the worker goes on only if other sessions share it.
   *
   * Its running call is then treated as abandoned.
   */
  close(error: TreeglassError): void {
    this.#rejectAll(error);
    if (!this.#owner.hasOthers(this) || this.calls.isEmpty) {
      this.detach();
    }
    this.#owner.leave(this);
  }

  /** Rejects all pending and later requests, and releases all mounts. */
  fail(error: TreeglassError): void {
    this.#rejectAll(error);
    this.detach();
  }

  #rejectAll(error: TreeglassError): void {
    if (this.#failure !== null) {
      return;
    }
    this.#failure = error;
    // A worker that goes on for other sessions has to remove the mounts itself.
    this.#channel?.sayGoodbye();
    this.#opening.reject(error);
    this.calls.failAll(error);
    this.kept.release();
    this.kept.mounts.clear();
  }
}
