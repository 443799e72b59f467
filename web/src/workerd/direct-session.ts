/** A client's session without a worker of its own: what it asks is done by whoever asks. */
import type { Ask, CallOptions } from "../client/runtime/call.ts";
import type { ClientSession } from "../client/runtime/client-session.ts";
import { KeptState, type LostMount, type Prepared } from "../client/runtime/kept-state.ts";
import { mountsLost } from "../client/runtime/sentences.ts";
import { isResult, senselessAnswer } from "../client/runtime/worker-channel.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Method, RequestParams, RequestResults, Settings } from "../protocol/messages.ts";
import type { ProgressEvent } from "../protocol/mounts.ts";
import { orAborted } from "../protocol/or-aborted.ts";
import type { Checkpoint } from "../sources/source-context.ts";
import { InterpreterFailed } from "../worker/bridge-client.ts";
import { isClientMessage } from "../worker/parse-message.ts";
import { type PerformedRequest, RequestPerformer } from "../worker/request-performer.ts";
import { MALFORMED, wireError } from "../worker/wire-error.ts";
import { BlobShelf } from "./blob-shelf.ts";
import type { Interpreter, InterpreterSource } from "./interpreter.ts";
import { RequestLine } from "./request-line.ts";

/** A performer, and the interpreter that it is bound to. */
interface Opened {
  readonly interpreter: Interpreter;
  readonly performer: RequestPerformer;
}

/**
 * Performs one client's requests in their order.
 *
 * What need not be waited for is done before `send` gives way to anything else but promises.
 */
export class DirectSession implements ClientSession {
  readonly kept: KeptState;
  readonly #interpreters: InterpreterSource;
  readonly #line = new RequestLine();
  readonly #blobs = new BlobShelf();
  readonly #closing = new AbortController();
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
  }

  /** Has an interpreter take the settings; rejects where it refuses them, or cannot be started. */
  async open(signal: AbortSignal | undefined): Promise<Interpreter> {
    return this.#line.take(async () => {
      const { interpreter } = await this.#open();
      signal?.throwIfAborted();
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
    const removed = this.#line.take(
      async () => this.#opened?.performer.mounts.removeAll(),
      undefined,
    );
    // Of an interpreter that died nothing is left to be removed.
    removed.catch(() => undefined);
    this.kept.release();
    this.kept.mounts.clear();
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
    const { interpreter, performer } = await this.#open();
    interpreter.seed();
    this.#lastId += 1;
    const id = this.#lastId;
    const report = (event: ProgressEvent) => onProgress?.(event);
    try {
      const request = requestOf(id, method, params);
      const result = await performer.perform(request, { signal, report });
      signal.throwIfAborted();
      this.#requireOpen();
      if (!isResult(method, result)) {
        throw senselessAnswer(method);
      }
      performer.mounts.settle(id);
      return result;
    } catch (error) {
      throw this.#afterFailure(error, { interpreter, performer }, id, signal);
    }
  }

  /** Undoes what a request that failed has mounted, and returns what is said of it. */
  #afterFailure(error: unknown, { performer }: Opened, id: number, signal: AbortSignal): unknown {
    if (error instanceof InterpreterFailed) {
      this.#interpreters.discard();
      this.#opened = null;
      return new TreeglassError(
        "WorkerFailed",
        "The Python interpreter failed. The next call has another one, with the same mounts.",
        { cause: error },
      );
    }
    performer.mounts.takeBack(id);
    if (signal.aborted || error instanceof TreeglassError) {
      return signal.aborted ? signal.reason : error;
    }
    const { kind, message } = wireError(error);
    return new TreeglassError(kind, message, { cause: error });
  }

  /** Returns what performs; in an interpreter that is new to it, all that was there before. */
  async #open(): Promise<Opened> {
    const interpreter = await this.#interpreters.get();
    if (this.#opened?.interpreter === interpreter) {
      return this.#opened;
    }
    const performer = new RequestPerformer(interpreter.runtime, {
      nextDirectory: () => interpreter.nextDirectory(),
      readBlob: (blob, start, end) => this.#blobs.read(blob, start, end),
      takeBlob: (handle) => this.#blobs.take(handle),
      checkpointOf,
    });
    const signal = this.#closing.signal;
    const surroundings = { signal, report: () => undefined };
    await performer.perform(
      { id: 0, method: "configure", params: this.kept.settings },
      surroundings,
    );
    this.#opened = { interpreter, performer };
    const lost = await this.#restore(performer, signal);
    if (lost.length > 0) {
      throw mountsLost(lost);
    }
    return this.#opened;
  }

  /** Mounts again what another interpreter had, and returns what could not be. */
  async #restore(performer: RequestPerformer, signal: AbortSignal): Promise<readonly LostMount[]> {
    const lost: LostMount[] = [];
    for (const [path, { prepare }] of [...this.kept.mounts]) {
      const prepared = prepare((blob) => this.#blobs.put(blob));
      try {
        const report = () => undefined;
        const request = { id: 0, method: "mount", params: prepared.params } as const;
        const result = await performer.perform(request, { signal, report });
        if (!isResult("mount", result)) {
          throw senselessAnswer("mount");
        }
        this.kept.restore({ report: result, prepared, prepare });
      } catch (error) {
        prepared.release();
        this.kept.drop(path);
        lost.push({ path, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return lost;
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

/** Lets nothing else in: here a timer would be a part of one visit, and cannot be had by all. */
function checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint {
  return async (loaded, total) => {
    signal.throwIfAborted();
    report({ phase: "index", loaded, ...(total === undefined ? {} : { total }) });
  };
}
