/** For how long a call may run, and how it is stopped then. */
import type { Call } from "./call.ts";
import type { WorkerSupervisor } from "./worker-supervisor.ts";

/** How long a call may run on that nobody waits for, before it makes way for the next. */
const ABANDONED_AFTER_MS = 1000;
/** What can be interrupted stops within milliseconds, but for a few long calls into C. */
const INTERRUPT_GRACE_MS = 1000;
/** What only waits, for a file or an answer, stops as soon as it is told. */
const CANCEL_GRACE_MS = 100;
/** An interrupt can get lost, and is repeated. */
const STOP_STEP_MS = 50;

/** What a session does for a call that has to stop. */
export interface Stopping {
  /** Tells the worker that nobody waits for a request any more. */
  cancel(id: number): void;
  /** Is called where a call did not stop: only another worker helps. */
  giveUp(call: Call): void;
}

/** Stops calls that run for too long, by asking for it, or else by giving the worker up. */
export class RunningLimits {
  readonly #owner: WorkerSupervisor;
  readonly #stopping: Stopping;

  constructor(owner: WorkerSupervisor, stopping: Stopping) {
    this.#owner = owner;
    this.#stopping = stopping;
  }

  /** Sets the time that a running call has left. */
  set(call: Call): void {
    if (!call.isSettled) {
      call.after(call.timeoutMs, () => this.stop(call));
      return;
    }
    call.after(ABANDONED_AFTER_MS, () => {
      if (this.#owner.isWaitingBut(call)) {
        this.stop(call);
      } else {
        call.isAbandoned = true;
      }
    });
  }

  /** Stops a call, if it runs. */
  stop(call: Call): void {
    if (!call.isStopping && call.run !== null && call.id !== null) {
      call.isStopping = true;
      this.#stopping.cancel(call.id);
      this.#urge(call, 0);
    }
  }

  /** What came of it is looked at between the steps: a busy page hears late of an answer. */
  #urge(call: Call, waitedMs: number): void {
    // A mount that is interrupted could be half done; nothing but a tool leaves no traces.
    const interrupts = call.method === "callTool" ? this.#owner.interrupts : null;
    if (waitedMs >= (interrupts === null ? CANCEL_GRACE_MS : INTERRUPT_GRACE_MS)) {
      this.#stopping.giveUp(call);
      return;
    }
    if (call.run !== null) {
      interrupts?.interrupt(call.run);
    }
    call.after(STOP_STEP_MS, () => this.#urge(call, waitedMs + STOP_STEP_MS));
  }
}
