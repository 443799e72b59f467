/** One request of a client, from the call until it settles. */
import type { Method, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { SendBlob } from "./blob-sender.ts";
import type { Prepare, Prepared } from "./kept-state.ts";
import { invalidResult, isResult } from "./worker-channel.ts";

/** Options of one request. */
export interface CallOptions<M extends Method> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** Returns how long it may run in the worker; called when it begins. @default Infinity */
  timeoutMs?(): number;
  /** Its name in messages. @default the method */
  readonly label?: string;
  /** Called with the result, before the caller's promise resolves. */
  keep?(result: RequestResults[M], prepared: Prepared<RequestParams[M]>): void;
}

/** The two ends of a call's promise. */
export interface Settlement<M extends Method> {
  resolve(result: RequestResults[M]): void;
  reject(error: unknown): void;
}

/** The parameters, or a cancellable function that computes them. */
export type Ask<M extends Method> =
  | { readonly now: Prepare<RequestParams[M]> }
  | { readonly later: (withdrawn: AbortSignal) => Promise<Prepare<RequestParams[M]>> };

/** Timers fire at once for a longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A request and its state; the session advances it. */
export class Call<M extends Method = Method> {
  readonly method: M;
  readonly label: string;
  /** Set when it begins. */
  timeoutMs = Number.POSITIVE_INFINITY;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
  /** Null until the parameters are computed. */
  prepare: Prepare<RequestParams[M]> | null = null;
  /** Its id in the present worker's channel; null until it is posted. */
  id: number | null = null;
  /** Identifies the run for an interrupt; null while it does not run. */
  run: number | null = null;
  /** Whether it is being stopped. */
  isStopping = false;
  /** Whether to stop it as soon as another request waits. */
  isAbandoned = false;
  /** Resolves when its promise has settled. */
  readonly settled: Promise<void>;
  readonly #options: CallOptions<M>;
  readonly #withdrawal = new AbortController();
  readonly #settlement: Settlement<M>;
  #prepared: Prepared<RequestParams[M]> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSettled = false;
  #tellSettled: () => void = () => undefined;

  constructor(method: M, options: CallOptions<M>, settlement: Settlement<M>) {
    this.method = method;
    this.label = options.label ?? method;
    this.onProgress = options.onProgress;
    this.#options = options;
    this.#settlement = settlement;
    this.settled = new Promise((resolve) => {
      this.#tellSettled = resolve;
    });
  }

  /** Whether its promise has settled. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Aborted when it fails or the caller abandons it. */
  get withdrawn(): AbortSignal {
    return this.#withdrawal.signal;
  }

  /** Notes that it begins to run: all earlier requests have replies. */
  begin(run: number): void {
    this.run = run;
    this.timeoutMs = this.#options.timeoutMs?.() ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the parameters for a worker; inverse of `release`. */
  makeParams(prepare: Prepare<RequestParams[M]>, sendBlob: SendBlob): RequestParams[M] {
    this.#prepared = prepare(sendBlob);
    return this.#prepared.params;
  }

  /** Settles with the worker's result; returns whether the result is valid. */
  answer(result: unknown): boolean {
    const prepared = this.#prepared;
    if (!isResult(this.method, result) || prepared === null) {
      this.fail(invalidResult(this.method));
      return false;
    }
    this.#prepared = null;
    this.#options.keep?.(result, prepared);
    this.#isSettled = true;
    this.#settlement.resolve(result);
    this.#tellSettled();
    return true;
  }

  /** Settles with an error, the first time. */
  fail(error: unknown): void {
    this.release();
    if (!this.#isSettled) {
      this.#isSettled = true;
      this.#settlement.reject(error);
      this.#withdrawal.abort(error);
      this.#tellSettled();
    }
  }

  /** Releases what the parameters hold on the page. */
  release(): void {
    this.#prepared?.release();
    this.#prepared = null;
  }

  /** Calls `act` after a delay; replaces an earlier timer. */
  after(delayMs: number, act: () => void): void {
    this.forgetTimer();
    if (delayMs <= MAX_TIMER_MS) {
      this.#timer = setTimeout(act, delayMs);
    }
  }

  forgetTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Resets it to its state before it was posted. */
  forgetWorker(): void {
    this.forgetTimer();
    this.release();
    this.id = null;
    this.run = null;
    this.isStopping = false;
    this.isAbandoned = false;
  }
}

/** Settles as the promise does, or rejects as soon as the call is abandoned. */
export function orWithdrawn<Value>(call: Call, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const { withdrawn } = call;
    withdrawn.addEventListener("abort", () => reject(withdrawn.reason), { once: true });
    promise.then(resolve, reject);
  });
}
