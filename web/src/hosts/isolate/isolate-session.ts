/** A session without a worker: requests run in the caller's own isolate. */
import { orAborted } from "../../lib/promises.ts";
import { notify } from "../../lib/report-error.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type {
  ClientMethod,
  RequestParams,
  RequestResults,
  Settings,
} from "../../protocol/methods.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import { mountsLost, workerDied } from "../../session/call-failure.ts";
import { type ChangeOptions, KeptState } from "../../session/kept-state.ts";
import type { CallOptions, Sendable } from "../../session/sendable.ts";
import type { ClientSession } from "../../session/session.ts";
import { InterpreterFailed, wireError } from "../../worker/bridge.ts";
import type { Interpreter, SharedInterpreter } from "./interpreter.ts";
import { IsolateBlobs } from "./isolate-blobs.ts";
import { IsolateRestoration, type Opened } from "./isolate-restoration.ts";
import { VisitQueue } from "./visit-queue.ts";

/**
 * Performs one client's requests in order.
 *
 * A request that waits for nothing ends before `send` yields to any task but promises.
 */
export class IsolateSession implements ClientSession {
  readonly kept: KeptState;
  readonly #interpreters: SharedInterpreter;
  readonly #queue = new VisitQueue();
  readonly #blobs = new IsolateBlobs();
  readonly #closing = new AbortController();
  readonly #restoration: IsolateRestoration;
  #opened: Opened | null = null;
  #lastId = 0;

  readonly toHostPath = (): never => {
    throw new TreeglassError(
      "SourceUnknown",
      "A Worker has no folders of a machine; bundle the tree as an archive and pass { archive }, or fetch it from a bound store.",
    );
  };

  constructor(interpreters: SharedInterpreter, settings: Settings, changes?: ChangeOptions) {
    this.#interpreters = interpreters;
    this.kept = new KeptState(settings, changes);
    this.#restoration = new IsolateRestoration(this.kept, this.#blobs, this.#closing.signal);
  }

  /** Applies the settings; rejects if they are refused, or if no interpreter starts. */
  async open(signal: AbortSignal | undefined): Promise<Interpreter> {
    return this.#queue.enqueue(async () => {
      const { interpreter } = await this.#open(signal);
      return interpreter;
    }, signal);
  }

  async send<M extends ClientMethod>(
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options: CallOptions<M> = {},
  ): Promise<RequestResults[M]> {
    const { signal } = options;
    this.#requireOpen();
    signal?.throwIfAborted();
    // Aborts a listing or a download that still runs, too.
    const withdrawal = new AbortController();
    const withdraw = () => withdrawal.abort(signal?.reason);
    signal?.addEventListener("abort", withdraw, { once: true });
    const answer = this.#queue.enqueue(
      () => this.#answer(method, sendable, options, withdrawal.signal),
      signal,
    );
    try {
      return await orAborted(orAborted(answer, signal), this.#closing.signal);
    } finally {
      signal?.removeEventListener("abort", withdraw);
    }
  }

  close(error: TreeglassError): void {
    if (this.#closing.signal.aborted) {
      return;
    }
    this.#closing.abort(error);
    const removed = this.#queue.enqueue(async () => this.#removeAll(), undefined);
    // Not awaited.
    removed.catch(() => undefined);
    this.kept.release();
    this.kept.mounts.clear();
  }

  #removeAll(): void {
    const opened = this.#opened ?? this.#restoration.begun;
    if (opened !== null && deathIn(() => opened.performer.close()) !== null) {
      this.#interpreters.discard(opened.interpreter);
    }
  }

  #requireOpen(): void {
    this.#closing.signal.throwIfAborted();
  }

  async #answer<M extends ClientMethod>(
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options: CallOptions<M>,
    signal: AbortSignal,
  ): Promise<RequestResults[M]> {
    this.#requireOpen();
    await sendable.prepare?.(signal);
    try {
      const result = await this.#perform(method, sendable.wire(this.#blobs), options, signal);
      options.keep?.(result);
      return result;
    } catch (error) {
      sendable.release();
      throw error;
    }
  }

  async #perform<M extends ClientMethod>(
    method: M,
    params: RequestParams[M],
    { onProgress }: CallOptions<M>,
    signal: AbortSignal,
  ): Promise<RequestResults[M]> {
    const opened = await this.#open(signal);
    const { interpreter, performer } = opened;
    this.#lastId += 1;
    const id = this.#lastId;
    const report = (event: ProgressEvent) => notify(onProgress, event);
    try {
      interpreter.seed();
      const result = await performer.perform({ id, method, params }, { signal, report });
      const changes = await performer.takeChanges();
      if (changes !== null) {
        this.kept.keepChanges(changes);
      }
      signal.throwIfAborted();
      this.#requireOpen();
      performer.mounts.settle(id);
      if (performer.isSpent) {
        this.#interpreters.discard(interpreter);
      }
      return result;
    } catch (error) {
      throw this.#afterFailure(error, opened, id, signal);
    }
  }

  /** Undoes the mount of a failed request, and returns the error for its caller. */
  #afterFailure(error: unknown, opened: Opened, id: number, signal: AbortSignal): unknown {
    const death =
      error instanceof InterpreterFailed
        ? error
        : deathIn(() => opened.performer.mounts.takeBack(id));
    if (death !== null) {
      return this.#afterDeath(death, opened.interpreter, signal);
    }
    if (signal.aborted || error instanceof TreeglassError) {
      return signal.aborted ? signal.reason : error;
    }
    const { name, message } = wireError(error);
    return new TreeglassError(name, message, { cause: error });
  }

  /** Discards an interpreter that died, and returns the error for the caller. */
  #afterDeath(
    cause: InterpreterFailed,
    interpreter: Interpreter,
    signal: AbortSignal | undefined,
  ): TreeglassError {
    this.#interpreters.discard(interpreter);
    this.#opened = null;
    this.#restoration.forget();
    const lost = this.#restoration.takeLost(signal);
    if (lost.length > 0) {
      return workerDied(cause.message, { isReplaced: true, lost });
    }
    return new TreeglassError(
      "WorkerFailed",
      "The Python interpreter failed. The next call has another one, with the same mounts.",
      { cause },
    );
  }

  /** Returns the performer; in a new interpreter, after restoring the settings and mounts. */
  async #open(signal: AbortSignal | undefined): Promise<Opened> {
    const interpreter = await this.#interpreters.get();
    if (this.#opened?.interpreter !== interpreter) {
      try {
        this.#opened = await this.#restoration.open(interpreter);
      } catch (error) {
        throw error instanceof InterpreterFailed
          ? this.#afterDeath(error, interpreter, signal)
          : error;
      }
    }
    signal?.throwIfAborted();
    const lost = this.#restoration.takeLost(signal);
    if (lost.length > 0) {
      throw mountsLost(lost);
    }
    return this.#opened;
  }
}

/** Returns the error that the interpreter died of during a request; null if it lives. */
function deathIn(ask: () => void): InterpreterFailed | null {
  try {
    ask();
    return null;
  } catch (error) {
    if (error instanceof InterpreterFailed) {
      return error;
    }
    throw error;
  }
}
