/** The requests that a worker has: what it says of them, and how one is stopped. */
import { notify } from "../lib/report-error.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ResultReply } from "../protocol/messages.ts";
import type { ClientMethod, RequestResults } from "../protocol/methods.ts";
import type { Call } from "./call.ts";
import { timedOut } from "./failure-messages.ts";
import type { KeptState } from "./kept-state.ts";
import type { WorkerSupervisor } from "./session.ts";
import type { RequestMessage } from "./worker-channel.ts";

const ABANDONED_AFTER_MS = 1000;
/** An interrupted call stops within milliseconds, unless it is in a long call into C. */
const INTERRUPT_GRACE_MS = 1000;
/** A call that only waits, for a file or a response, stops as soon as it is cancelled. */
const CANCEL_GRACE_MS = 100;
/** An interrupt can get lost, so it is repeated. */
const STOP_STEP_MS = 50;

/** Settles calls, and stops those that run too long: by a cancel, an interrupt, or a new worker. */
export class RunningCalls {
  readonly #owner: WorkerSupervisor;
  readonly #kept: KeptState;
  readonly #onReply: (call: Call) => void;

  /** `onReply` is called when the worker has replied, before the call settles. */
  constructor(owner: WorkerSupervisor, kept: KeptState, onReply: (call: Call) => void) {
    this.#owner = owner;
    this.#kept = kept;
    this.#onReply = onReply;
  }

  receive(call: Call, message: RequestMessage): void {
    switch (message.type) {
      case "began":
        call.begin(message.run);
        this.limit(call);
        break;
      case "progress":
        if (!call.isSettled) {
          notify(call.onProgress, message.event);
        }
        break;
      case "result":
        this.#receiveResult(call, message);
        break;
      case "error":
        if (message.loss === "nothing") {
          const error = new TreeglassError(message.name, message.message);
          this.#refuse(call, call.isStopping ? timedOut(call, { isReplaced: false }) : error);
        } else {
          this.#owner.crashed(message.message, message.loss);
        }
        break;
      case "cancelled":
        this.#refuse(call, timedOut(call, { isReplaced: false }));
    }
  }

  #receiveResult(call: Call, { result, isLast, changes }: ResultReply): void {
    // Also if the caller has abandoned the call: the changes are there.
    if (changes !== undefined && !call.isRestore) {
      this.#kept.keepChanges(changes);
    }
    this.#onReply(call);
    // The compiler does not see that the result is that of the method.
    if (call.answer(result as RequestResults[ClientMethod]) && !call.isRestore) {
      this.#owner.succeeded();
    }
    if (isLast) {
      this.#owner.replace();
    }
  }

  #refuse(call: Call, error: TreeglassError): void {
    this.#onReply(call);
    call.refuse(error);
  }

  /** Starts the timer of a call, if it runs and is not being stopped. */
  limit(call: Call): void {
    if (call.state.is !== "running" || call.isStopping) {
      return;
    }
    if (!call.isSettled) {
      call.after(call.timeoutMs, () => this.#stop(call));
      return;
    }
    call.after(ABANDONED_AFTER_MS, () => {
      call.stop("when another waits");
      if (this.#owner.isWaitingBut(call)) {
        this.#stop(call);
      }
    });
  }

  stopAbandoned(call: Call): void {
    if (call.state.is === "running" && call.state.stop === "when another waits") {
      this.#stop(call);
    }
  }

  #stop(call: Call): void {
    call.stop("now");
    call.cancel();
    this.#urge(call, 0);
  }

  /** Acts in steps, between which a reply can arrive: a busy page receives replies late. */
  #urge(call: Call, waitedMs: number): void {
    // Only a tool call leaves no traces; an interrupted mount could be half done.
    const interrupts = call.method === "callTool" ? this.#owner.interrupts : null;
    if (waitedMs >= (interrupts === null ? CANCEL_GRACE_MS : INTERRUPT_GRACE_MS)) {
      call.blame((recovery) => timedOut(call, recovery));
      this.#owner.replace();
      return;
    }
    if (call.state.is === "running") {
      interrupts?.interrupt(call.state.run);
    }
    call.after(STOP_STEP_MS, () => this.#urge(call, waitedMs + STOP_STEP_MS));
  }
}
