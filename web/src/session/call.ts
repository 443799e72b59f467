/** One request of a client, from the call until it settles. */
import { orAborted } from "../lib/or-aborted.ts";
import { withResolvers } from "../lib/with-resolvers.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { Recovery } from "./failure-messages.ts";
import type { Sendable } from "./sendable.ts";
import type { ClientChannel, RequestMessage } from "./worker-channel.ts";

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

type CallState =
  /** Its turn to be posted has not come, or its parameters are not prepared. */
  | { readonly is: "held" }
  /** It is posted as soon as a worker has the client's settings and mounts. */
  | { readonly is: "due" }
  /** It waits in the worker. */
  | ({ readonly is: "sent" } & Sent)
  | Running
  /** It has ended its worker; its caller is told once another worker is there. */
  | { readonly is: "fatal"; readonly wordFailure: WordFailure }
  | { readonly is: "replied" };

interface Sent {
  readonly channel: ClientChannel;
  readonly id: number;
}

interface Running extends Sent {
  readonly is: "running";
  readonly run: number;
  /** True if it is being stopped, now or as soon as another request waits. */
  readonly stop: "no" | "when another waits" | "now";
}

type WordFailure = (recovery: Recovery) => Error;

/** A request and its state; the session advances it. */
export class Call<M extends ClientMethod = ClientMethod> {
  readonly method: M;
  readonly label: string;
  /** True if it brings the client's kept state to a worker; the session itself awaits it. */
  readonly isRestore: boolean;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
  /** Changed by the methods only. */
  state: CallState;
  /** True if its result has settled; a worker may have it nevertheless. Set by the methods only. */
  isSettled = false;
  /** Set when it begins. */
  timeoutMs = Number.POSITIVE_INFINITY;
  readonly #sendable: Sendable<RequestParams[M]>;
  readonly #options: CallOptions<M>;
  readonly #withdrawal = new AbortController();
  readonly #settlement = withResolvers<RequestResults[M]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options: CallOptions<M>,
    isRestore = false,
  ) {
    this.method = method;
    this.label = options.label ?? method;
    this.isRestore = isRestore;
    this.onProgress = options.onProgress;
    this.#sendable = sendable;
    this.#options = options;
    this.state = { is: isRestore ? "due" : "held" };
  }

  get result(): Promise<RequestResults[M]> {
    return this.#settlement.promise;
  }

  get isWaiting(): boolean {
    return !this.isSettled && this.state.is !== "fatal";
  }

  get isStopping(): boolean {
    return this.state.is === "running" && this.state.stop === "now";
  }

  get hasToPrepare(): boolean {
    return this.#sendable.prepare !== undefined;
  }

  /** Prepares its parameters; rejects if that fails, or if the call fails meanwhile. */
  async prepare(): Promise<void> {
    const { signal } = this.#withdrawal;
    signal.throwIfAborted();
    await orAborted(this.#sendable.prepare?.(signal), signal);
  }

  takeTurn(): void {
    this.state = { is: "due" };
  }

  /** Sends it to a worker; throws `BadRequest` if it cannot be sent. */
  post(channel: ClientChannel, receive: (message: RequestMessage) => void): void {
    const id = channel.post(this.method, this.#sendable.wire(channel), receive);
    this.state = { is: "sent", channel, id };
  }

  /** Tells its worker, if one has it, that it is abandoned. */
  cancel(): void {
    if (this.state.is === "sent" || this.state.is === "running") {
      this.state.channel.cancel(this.state.id);
    }
  }

  /** Notes that it begins to run: all earlier requests have replies. */
  begin(run: number): void {
    if (this.state.is === "sent") {
      this.state = { ...this.state, is: "running", run, stop: "no" };
      this.timeoutMs = this.#options.timeoutMs?.() ?? Number.POSITIVE_INFINITY;
    }
  }

  stop(stop: Running["stop"]): void {
    if (this.state.is === "running") {
      this.state = { ...this.state, stop };
    }
  }

  /** Notes that it ends its worker. */
  blame(wordFailure: WordFailure): void {
    this.state = { is: "fatal", wordFailure };
  }

  /** Settles with the worker's result, unless it has settled; tells whether it did. */
  answer(result: RequestResults[M]): boolean {
    const state = this.#end();
    if (this.isSettled) {
      return false;
    }
    this.#options.keep?.(result);
    this.isSettled = true;
    this.#settlement.resolve(result);
    if (this.method === "mount" && "channel" in state) {
      state.channel.acknowledge(state.id);
    }
    return true;
  }

  refuse(error: unknown): void {
    this.#end();
    this.fail(error);
  }

  /** Settles with an error, unless it has settled. */
  fail(error: unknown): void {
    if (!this.isSettled) {
      this.#sendable.release();
      this.isSettled = true;
      this.#settlement.reject(error);
      this.#withdrawal.abort(error);
    }
  }

  /** Calls `act` after a delay; replaces an earlier timer. */
  after(delayMs: number, act: () => void): void {
    clearTimeout(this.#timer);
    if (delayMs <= MAX_TIMER_MS) {
      this.#timer = setTimeout(act, delayMs);
    }
  }

  /** Notes that its worker is gone: it is posted to the next one, unless it has ended this one. */
  forgetWorker(): void {
    clearTimeout(this.#timer);
    this.#sendable.release();
    if (this.state.is === "sent" || this.state.is === "running") {
      this.state = { is: "due" };
    }
  }

  #end(): CallState {
    const state = this.state;
    clearTimeout(this.#timer);
    this.state = { is: "replied" };
    return state;
  }
}
