/** One client's session with a worker, or with one worker after another. */
import { reasonOf } from "../lib/report-error.ts";
import { withResolvers } from "../lib/with-resolvers.ts";
import type { TreeglassError } from "../protocol/errors.ts";
import type { ClientMethod, RequestParams, RequestResults, Settings } from "../protocol/methods.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import { Call, type CallOptions } from "./call.ts";
import { workerIsGone } from "./failure-messages.ts";
import { type ChangeOptions, KeptState } from "./kept-state.ts";
import { PendingCalls } from "./pending-calls.ts";
import { plain, type Sendable } from "./sendable.ts";
import type { ClientSession, ToHostPath, WorkerSupervisor } from "./session.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** The most time for one mount: an address that never responds would delay all others. */
const MAX_RESTORE_MS = 60_000;

/** Keeps what a worker has confirmed, and restores it in the next one before any request. */
export class WorkerSession implements ClientSession {
  readonly kept: KeptState;
  readonly calls: PendingCalls;
  readonly #owner: WorkerSupervisor;
  readonly #opening = withResolvers();
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
    try {
      if (await this.calls.attach(process.openClient(), restoresOf(this.kept))) {
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
      this.calls.sayGoodbye();
    }
    this.kept.release();
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
    this.calls.sayGoodbye();
    this.#opening.reject(error);
    this.calls.failAll(error);
    this.kept.release();
    this.kept.mounts.clear();
  }
}

/** Returns the requests for the settings, the mounts in their order, and the record of changes. */
function restoresOf(kept: KeptState): Call[] {
  const { settings, mounts, state } = kept;
  const restores: Call[] = [new Call("configure", plain(settings), {}, true)];
  for (const [label, { sendable }] of mounts) {
    const keep = (report: MountReport) => kept.restore({ report, sendable });
    restores.push(
      new Call("mount", sendable, { label, timeoutMs: () => MAX_RESTORE_MS, keep }, true),
    );
  }
  if (state !== undefined) {
    restores.push(new Call("restoreState", plain({ state }), {}, true));
  }
  return restores;
}
