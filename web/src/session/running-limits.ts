/** The time that a call may run, and how it is stopped after that. */
import type { ConfigDocument } from "../generated/config.ts";
import type { Call } from "./call.ts";
import { timedOut } from "./failure-messages.ts";
import type { WorkerSupervisor } from "./worker-supervisor.ts";

/** Lets a tool report its own time-out first, which it checks only now and then. */
const TOOL_TIMEOUT_GRACE_MS = 5000;
/** The part of a call's time-out, and the most of it, that its tool does not get. */
const TOOL_MARGIN = 0.2;
const MAX_TOOL_MARGIN_MS = 1000;
/** The wheel's default for both time-outs of a tool. */
const DEFAULT_TIMEOUT_SECONDS = 30;
/** Grace period for an abandoned call. */
const ABANDONED_AFTER_MS = 1000;
/** An interrupted call stops within milliseconds, unless it is in a long call into C. */
const INTERRUPT_GRACE_MS = 1000;
/** A call that only waits, for a file or a response, stops as soon as it is cancelled. */
const CANCEL_GRACE_MS = 100;
/** An interrupt can get lost, so it is repeated. */
const STOP_STEP_MS = 50;

/** Stops calls that run too long: by a cancel, by an interrupt, or by replacing the worker. */
export class RunningLimits {
  readonly #owner: WorkerSupervisor;

  constructor(owner: WorkerSupervisor) {
    this.#owner = owner;
  }

  /** Starts the timer of a running call, unless that is being stopped. */
  set(call: Call): void {
    if (call.state.is !== "running" || call.state.stop === "now") {
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

  /** Stops a call that was abandoned long enough ago. */
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

/**
 * Returns how long a call may run unless it says so itself, in milliseconds.
 *
 * That is the longer of a tool's configured time-outs, and `TOOL_TIMEOUT_GRACE_MS` more.
 */
export function defaultTimeoutMs({ tools }: ConfigDocument): number {
  const { default_seconds, file_operations_seconds } = tools?.timeouts ?? {};
  const seconds = Math.max(
    default_seconds ?? DEFAULT_TIMEOUT_SECONDS,
    file_operations_seconds ?? DEFAULT_TIMEOUT_SECONDS,
  );
  return seconds * 1000 + TOOL_TIMEOUT_GRACE_MS;
}

/**
 * Returns how long the tool of a call may take that may run for `timeoutMs`, in whole milliseconds,
 * since an answer may name it.
 *
 * That is less, since a tool looks at the clock only now and then, and needs time to answer with
 * what it has found. Undefined for a time-out that no clock reaches, which sets no limit, and for
 * one below a second, since tools name whole seconds.
 */
export function toolTimeoutMs(timeoutMs: number): number | undefined {
  return timeoutMs >= 1000 && timeoutMs <= Number.MAX_SAFE_INTEGER
    ? Math.ceil(timeoutMs - Math.min(timeoutMs * TOOL_MARGIN, MAX_TOOL_MARGIN_MS))
    : undefined;
}
