/** A client's session without a worker of its own: what it asks is done by whoever asks. */

import { orAborted } from "../../lib/or-aborted.ts";
import { notify } from "../../lib/report-error.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { Method, RequestParams, RequestResults, Settings } from "../../protocol/methods.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { Ask, CallOptions } from "../../session/call.ts";
import type { ClientSession } from "../../session/client-session.ts";
import { mountsLost, workerDied } from "../../session/failure-messages.ts";
import { KeptState, type Prepared } from "../../session/kept-state.ts";
import { invalidResult, isResult } from "../../session/worker-channel.ts";
import { InterpreterFailed } from "../../worker/bridge.ts";
import { isClientMessage } from "../../worker/parse-message.ts";
import type { PerformedRequest } from "../../worker/request-performer.ts";
import { MALFORMED, wireError } from "../../worker/wire-error.ts";
import type { Interpreter } from "./interpreter.ts";
import type { InterpreterSource } from "./interpreter-source.ts";
import { IsolateBlobs } from "./isolate-blobs.ts";
import { IsolateRestoration, type Opened } from "./isolate-restoration.ts";
import { VisitQueue } from "./visit-queue.ts";

/**
 * Performs one client's requests in their order.
 *
 * What need not be waited for is done before `send` gives way to anything else but promises.
 */
export class IsolateSession implements ClientSession {
  readonly kept: KeptState;
  readonly #interpreters: InterpreterSource;
  readonly #line = new VisitQueue();
  readonly #blobs = new IsolateBlobs();
  readonly #closing = new AbortController();
  readonly #restoration: IsolateRestoration;
  #opened: Opened | null = null;
  #lastId = 0;

  /** Refuses a folder of the machine, which a Worker has not got. */
  readonly toHostPath = (): never => {
    throw new TreeglassError(
      "SourceUnknown",
      "A Worker has no folders of a machine; bundle the tree as an archive and pass { archive }, or fetch it from a bound store.",
    );
  };

  constructor(interpreters: InterpreterSource, settings: Settings) {
    this.#interpreters = interpreters;
    this.kept = new KeptState(settings);
    this.#restoration = new IsolateRestoration(this.kept, this.#blobs, this.#closing.signal);
  }

  /** Has an interpreter take the settings; rejects where it refuses them, or cannot be started. */
  async open(signal: AbortSignal | undefined): Promise<Interpreter> {
    return this.#line.take(async () => {
      const { interpreter } = await this.#open(signal);
      return interpreter;
    }, signal);
  }

  async send<M extends Method>(
    method: M,
    ask: Ask<M>,
    options: CallOptions<M> = {},
  ): Promise<RequestResults[M]> {
    const { signal } = options;
    this.#requireOpen();
    signal?.throwIfAborted();
    // Also where a listing or a download is still going on, which then ends by itself.
    const withdrawal = new AbortController();
    const withdraw = () => withdrawal.abort(signal?.reason);
    signal?.addEventListener("abort", withdraw, { once: true });
    const answer = this.#line.take(
      () => this.#answer(method, ask, options, withdrawal.signal),
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
    const removed = this.#line.take(async () => this.#removeAll(), undefined);
    // Nobody waits for it.
    removed.catch(() => undefined);
    this.kept.release();
    this.kept.mounts.clear();
  }

  #removeAll(): void {
    const opened = this.#opened ?? this.#restoration.begun;
    if (opened !== null && deathIn(() => opened.performer.mounts.removeAll()) !== null) {
      this.#interpreters.discard(opened.interpreter);
    }
  }

  #requireOpen(): void {
    this.#closing.signal.throwIfAborted();
  }

  async #answer<M extends Method>(
    method: M,
    ask: Ask<M>,
    options: CallOptions<M>,
    signal: AbortSignal,
  ): Promise<RequestResults[M]> {
    this.#requireOpen();
    const prepare = "now" in ask ? ask.now : await ask.later(signal);
    const prepared = prepare((blob) => this.#blobs.put(blob));
    let isKept = false;
    try {
      const result = await this.#perform(method, prepared, options, signal);
      options.keep?.(result, prepared);
      isKept = true;
      return result;
    } finally {
      if (!isKept) {
        prepared.release();
      }
    }
  }

  async #perform<M extends Method>(
    method: M,
    { params }: Prepared<RequestParams[M]>,
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
      const request = requestOf(id, method, params);
      const result = await performer.perform(request, { signal, report });
      signal.throwIfAborted();
      this.#requireOpen();
      if (!isResult(method, result)) {
        throw invalidResult(method);
      }
      performer.mounts.settle(id);
      return result;
    } catch (error) {
      throw this.#afterFailure(error, opened, id, signal);
    }
  }

  /** Undoes what a request that failed has mounted, and returns what is said of it. */
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
    const { kind, message } = wireError(error);
    return new TreeglassError(kind, message, { cause: error });
  }

  /** Lets go of an interpreter that died, and returns what is said of it. */
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

  /** Returns what performs; in an interpreter that is new to it, all that was there before. */
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

/** Returns what an interpreter died of while it was asked; null where it lives. */
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

/** Returns a request; throws `BadRequest` for one that no worker would take either. */
function requestOf<M extends Method>(
  id: number,
  method: M,
  params: RequestParams[M],
): PerformedRequest {
  const request: unknown = { type: "request", id, method, params };
  // The files of a visitor have a desk that is no port here; see `message-channel.ts`.
  if (method !== "mount" && !isClientMessage(request)) {
    throw MALFORMED;
  }
  // The compiler loses that the method and its parameters belong together.
  return request as PerformedRequest;
}
