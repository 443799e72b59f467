/** One request of a client, from the call until it settles. */
import { withResolvers } from "../lib/with-resolvers.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { Recovery } from "./failure-messages.ts";
import type { Sendable } from "./sendable.ts";
import type { ClientChannel, RequestListener } from "./worker-channel.ts";

/** Options of one request. */
export interface CallOptions<M extends ClientMethod> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** Returns how long it may run in the worker; called when it begins. @default Infinity */
  timeoutMs?(): number;
  /** Its name in messages. @default the method */
  readonly label?: string;
  /** Called with the result, before the caller's promise resolves. */
  keep?(result: RequestResults[M]): void;
}

/** Timers fire at once for a longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A request and its state; the session advances it. */
export class Call<M extends ClientMethod = ClientMethod> {
  readonly method: M;
  readonly label: string;
  /** Set when it begins. */
  timeoutMs = Number.POSITIVE_INFINITY;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
  readonly sendable: Sendable<RequestParams[M]>;
  /** Whether its parameters are prepared. */
  isReady = false;
  /** Its id in the present worker's channel; null until it is posted. */
  id: number | null = null;
  /** Identifies the run for an interrupt; null while it does not run. */
  run: number | null = null;
  /** Whether it is being stopped. */
  isStopping = false;
  /** Whether to stop it as soon as another request waits. */
  isAbandoned = false;
  /** Words its error if it has ended its worker; called once another worker is there. */
  wordFailure: ((recovery: Recovery) => Error) | null = null;
  readonly #options: CallOptions<M>;
  readonly #withdrawal = new AbortController();
  readonly #settlement = withResolvers<RequestResults[M]>();
  #channel: ClientChannel | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSettled = false;

  constructor(method: M, sendable: Sendable<RequestParams[M]>, options: CallOptions<M>) {
    this.method = method;
    this.sendable = sendable;
    this.label = options.label ?? method;
    this.onProgress = options.onProgress;
    this.#options = options;
  }

  get result(): Promise<RequestResults[M]> {
    return this.#settlement.promise;
  }

  /** Whether its result has settled. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Whether its caller waits for a worker to answer it. */
  get isWaiting(): boolean {
    return !this.#isSettled && this.wordFailure === null;
  }

  /** Aborted when it fails or the caller abandons it. */
  get withdrawn(): AbortSignal {
    return this.#withdrawal.signal;
  }

  /** Sends it to a worker; throws `BadRequest` if it cannot. */
  post(channel: ClientChannel, listener: RequestListener): void {
    this.id = channel.post(this.method, this.sendable.wire(channel), listener);
    this.#channel = channel;
  }

  /** Tells its worker that it is abandoned, if it was posted. */
  cancel(): void {
    if (this.id !== null) {
      this.#channel?.cancel(this.id);
    }
  }

  /** Notes that it begins to run: all earlier requests have replies. */
  begin(run: number): void {
    this.run = run;
    this.timeoutMs = this.#options.timeoutMs?.() ?? Number.POSITIVE_INFINITY;
  }

  /** Notes that the worker has replied. */
  end(): void {
    this.#forgetTimer();
    this.run = null;
  }

  /** Settles with the worker's result. */
  answer(result: RequestResults[M]): void {
    this.#options.keep?.(result);
    this.#isSettled = true;
    this.#settlement.resolve(result);
    this.#channel?.acknowledge(this);
  }

  /** Settles with an error, the first time. */
  fail(error: unknown): void {
    if (!this.#isSettled) {
      this.sendable.release();
      this.#isSettled = true;
      this.#settlement.reject(error);
      this.#withdrawal.abort(error);
    }
  }

  /** Calls `act` after a delay; replaces an earlier timer. */
  after(delayMs: number, act: () => void): void {
    this.#forgetTimer();
    if (delayMs <= MAX_TIMER_MS) {
      this.#timer = setTimeout(act, delayMs);
    }
  }

  /** Resets it to its state before it was posted. */
  forgetWorker(): void {
    this.end();
    this.sendable.release();
    this.id = null;
    this.#channel = null;
    this.isStopping = false;
    this.isAbandoned = false;
  }

  #forgetTimer(): void {
    clearTimeout(this.#timer);
  }
}
