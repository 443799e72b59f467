/** One request of a client's, from its call until nobody waits for it any more. */
import type { Method, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { SendBlob } from "./blob-sender.ts";
import type { Prepare, Prepared } from "./kept-state.ts";
import { isResult, senselessAnswer } from "./worker-channel.ts";

/** What one request may bring along. */
export interface CallOptions<M extends Method> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** How long it may run in the worker; asked when its turn has come. @default Infinity */
  timeoutMs?(): number;
  /** What a person calls it. @default the method */
  readonly label?: string;
  /** Runs when the answer arrives, before anything else can happen. */
  keep?(result: RequestResults[M], prepared: Prepared<RequestParams[M]>): void;
}

/** The two ends of a call's promise. */
export interface Settlement<M extends Method> {
  resolve(result: RequestResults[M]): void;
  reject(error: unknown): void;
}

/** What a request asks; or what finds that out, and has to stop where nobody waits any more. */
export type Ask<M extends Method> =
  | { readonly now: Prepare<RequestParams[M]> }
  | { readonly later: (withdrawn: AbortSignal) => Promise<Prepare<RequestParams[M]>> };

/** A longer delay a timer takes for none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A request, with what is known of its way; the session moves it on. */
export class Call<M extends Method = Method> {
  readonly method: M;
  readonly label: string;
  /** Known when it runs. */
  timeoutMs = Number.POSITIVE_INFINITY;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
  /** Null until it is found out. */
  prepare: Prepare<RequestParams[M]> | null = null;
  /** In the channel of the present worker; null while no worker knows of it. */
  id: number | null = null;
  /** By which it can be interrupted; null while it does not run. */
  run: number | null = null;
  /** Whether it is being stopped. */
  isStopping = false;
  /** Whether it is to be stopped as soon as anything else waits. */
  isAbandoned = false;
  readonly #options: CallOptions<M>;
  readonly #withdrawal = new AbortController();
  readonly #settlement: Settlement<M>;
  #prepared: Prepared<RequestParams[M]> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSettled = false;

  constructor(method: M, options: CallOptions<M>, settlement: Settlement<M>) {
    this.method = method;
    this.label = options.label ?? method;
    this.onProgress = options.onProgress;
    this.#options = options;
    this.#settlement = settlement;
  }

  /** Whether nobody waits for it any more. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Aborted when nobody waits for it any more. */
  get withdrawn(): AbortSignal {
    return this.#withdrawal.signal;
  }

  /** Says that its turn has come: what was asked before is answered. */
  begin(run: number): void {
    this.run = run;
    this.timeoutMs = this.#options.timeoutMs?.() ?? Number.POSITIVE_INFINITY;
  }

  /** Returns what a worker is asked; `release` lets go of it. */
  makeParams(prepare: Prepare<RequestParams[M]>, handOver: SendBlob): RequestParams[M] {
    this.#prepared = prepare(handOver);
    return this.#prepared.params;
  }

  /** Settles with what the worker answered; returns whether that makes sense. */
  answer(result: unknown): boolean {
    const prepared = this.#prepared;
    if (!isResult(this.method, result) || prepared === null) {
      this.fail(senselessAnswer(this.method));
      return false;
    }
    this.#prepared = null;
    this.#options.keep?.(result, prepared);
    this.#isSettled = true;
    this.#settlement.resolve(result);
    return true;
  }

  /** Settles with an error, the first time. */
  fail(error: unknown): void {
    this.release();
    if (!this.#isSettled) {
      this.#isSettled = true;
      this.#settlement.reject(error);
      this.#withdrawal.abort(error);
    }
  }

  /** Lets go of what a worker that is gone, or needs it no more, had of the page. */
  release(): void {
    this.#prepared?.release();
    this.#prepared = null;
  }

  /** Runs `act` after a while, instead of what was to be run before. */
  after(delayMs: number, act: () => void): void {
    this.forgetTimer();
    if (delayMs <= MAX_TIMER_MS) {
      this.#timer = setTimeout(act, delayMs);
    }
  }

  forgetTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Takes it back to before any worker knew of it. */
  forgetWorker(): void {
    this.forgetTimer();
    this.release();
    this.id = null;
    this.run = null;
    this.isStopping = false;
    this.isAbandoned = false;
  }
}

/** Rejects as soon as nobody waits for the call any more. */
export function orWithdrawn<Value>(call: Call, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const { withdrawn } = call;
    withdrawn.addEventListener("abort", () => reject(withdrawn.reason), { once: true });
    promise.then(resolve, reject);
  });
}
