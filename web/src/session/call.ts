/** One request of a client, from the call until it settles. */
import { orAborted, withResolvers } from "../lib/promises.ts";
import { notify } from "../lib/report-error.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import { type Recovery, timedOut } from "./call-failure.ts";
import type { CallOptions, Sendable } from "./sendable.ts";
import type { WorkerSupervisor } from "./session.ts";
import type { ClientChannel, RequestMessage } from "./worker-channel.ts";

/** Timers fire at once for a longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const ABANDONED_AFTER_MS = 1000;
/** An interrupted call stops within milliseconds, unless it is in a long call into C. */
const INTERRUPT_GRACE_MS = 1000;
/** A call that only waits, for a file or a response, stops as soon as it is cancelled. */
const CANCEL_GRACE_MS = 100;
/** An interrupt can get lost, so it is repeated. */
const STOP_STEP_MS = 50;

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
  /** True if it is being stopped, now or as soon as another request waits. */
  readonly stop: "no" | "when another waits" | "now";
}

type WordFailure = (recovery: Recovery) => Error;

/** A request, its state, and how it is stopped: by a cancel, an interrupt, or a new worker. */
export class Call<M extends ClientMethod = ClientMethod> {
  readonly method: M;
  readonly label: string;
  /** True if it brings the client's kept state to a worker; the session itself awaits it. */
  readonly isRestore: boolean;
  /** Changed by the methods only. */
  state: CallState;
  /** True if its result has settled; a worker may have it nevertheless. Set by the methods only. */
  isSettled = false;
  /** Set when it begins. */
  timeoutMs = Number.POSITIVE_INFINITY;
  readonly #owner: WorkerSupervisor;
  readonly #sendable: Sendable<RequestParams[M]>;
  readonly #options: CallOptions<M>;
  readonly #withdrawal = new AbortController();
  readonly #settlement = withResolvers<RequestResults[M]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    owner: WorkerSupervisor,
    method: M,
    sendable: Sendable<RequestParams[M]>,
    options: CallOptions<M>,
    isRestore = false,
  ) {
    this.method = method;
    this.label = options.label ?? method;
    this.isRestore = isRestore;
    this.#owner = owner;
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

  /** Prepares its parameters, if they have to be; rejects if that fails, or if the call fails meanwhile. */
  async prepare(): Promise<void> {
    if (this.#sendable.prepare !== undefined) {
      const { signal } = this.#withdrawal;
      signal.throwIfAborted();
      await orAborted(this.#sendable.prepare(signal), signal);
    }
  }

  takeTurn(): void {
    this.state = { is: "due" };
  }

  /** Sends it to a worker; throws `BadRequest` if it cannot be sent. */
  post(channel: ClientChannel, receive: (message: RequestMessage) => void): void {
    const params = this.#sendable.wire(channel);
    const id = channel.post(this.method, params, this.#options.onProgress !== undefined, receive);
    this.state = { is: "sent", channel, id };
  }

  /** Tells its worker, if one has it, that it is abandoned. */
  cancel(): void {
    if (this.state.is === "sent" || this.state.is === "running") {
      this.state.channel.cancel(this.state.id);
    }
  }

  /** Notes that it begins to run: all earlier requests have replies. */
  begin(): void {
    if (this.state.is === "sent") {
      this.state = { ...this.state, is: "running", stop: "no" };
      this.timeoutMs = this.#options.timeoutMs?.() ?? Number.POSITIVE_INFINITY;
      this.limit();
    }
  }

  report(event: ProgressEvent): void {
    if (!this.isSettled) {
      notify(this.#options.onProgress, event);
    }
  }

  /** Starts its timer, if it runs and is not being stopped. */
  limit(): void {
    if (this.state.is !== "running" || this.state.stop === "now") {
      return;
    }
    if (!this.isSettled) {
      this.#after(this.timeoutMs, () => this.#stop());
      return;
    }
    this.#after(ABANDONED_AFTER_MS, () => {
      this.#setStop("when another waits");
      if (this.#owner.isWaitingBut(this)) {
        this.#stop();
      }
    });
  }

  /** Stops it, because another request waits, if it was abandoned for long enough. */
  stopIfAbandoned(): void {
    if (this.state.is === "running" && this.state.stop === "when another waits") {
      this.#stop();
    }
  }

  #stop(): void {
    this.#setStop("now");
    this.cancel();
    this.#urge(0);
  }

  /** Acts in steps, between which a reply can arrive: a busy page receives replies late. */
  #urge(waitedMs: number): void {
    // Only a tool call leaves no traces; an interrupted mount could be half done.
    const interrupts = this.method === "callTool" ? this.#owner.interrupts : null;
    if (waitedMs >= (interrupts === null ? CANCEL_GRACE_MS : INTERRUPT_GRACE_MS)) {
      this.blame((recovery) => timedOut(this, recovery));
      this.#owner.replace();
      return;
    }
    if (this.state.is === "running") {
      interrupts?.interrupt(this.state.id);
    }
    this.#after(STOP_STEP_MS, () => this.#urge(waitedMs + STOP_STEP_MS));
  }

  #setStop(stop: Running["stop"]): void {
    if (this.state.is === "running") {
      this.state = { ...this.state, stop };
    }
  }

  /** Notes that it ends its worker. */
  blame(wordFailure: WordFailure): void {
    // If no other worker starts, nothing else would end its timer.
    clearTimeout(this.#timer);
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
    if (this.#options.acknowledges && "channel" in state) {
      state.channel.acknowledge(state.id);
    }
    return true;
  }

  /** Settles with the worker's refusal, or says that it was stopped. */
  refuse(refusal: Error | null): void {
    const state = this.#end();
    const isStopped = refusal === null || (state.is === "running" && state.stop === "now");
    this.fail(isStopped ? timedOut(this, { isReplaced: false }) : refusal);
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

  /** Notes that its worker is gone: it is posted to the next one, unless it has ended this one. */
  forgetWorker(): void {
    clearTimeout(this.#timer);
    this.#sendable.release();
    if (this.state.is === "sent" || this.state.is === "running") {
      this.state = { is: "due" };
    }
  }

  /** Calls `act` after a delay; replaces an earlier timer. */
  #after(delayMs: number, act: () => void): void {
    clearTimeout(this.#timer);
    if (delayMs <= MAX_TIMER_MS) {
      this.#timer = setTimeout(act, delayMs);
    }
  }

  #end(): CallState {
    const state = this.state;
    clearTimeout(this.#timer);
    this.state = { is: "replied" };
    return state;
  }
}
