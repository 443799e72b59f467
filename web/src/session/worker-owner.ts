/** Starts, replaces and ends the worker of one client, or of all clients that share it. */
import { notify, reasonOf } from "../lib/report-error.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { InterruptCells } from "../protocol/interrupts.ts";
import type { Loss } from "../protocol/messages.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import { Stopwatch } from "../protocol/stopwatch.ts";
import { workerIsGone } from "./call-failure.ts";
import type { ClientHost, ToHostPath, WorkerSupervisor } from "./session.ts";
import { type ProcessStart, WorkerProcess } from "./worker-process.ts";
import type { WorkerSession } from "./worker-session.ts";

/** The most crashes in a row without a successful request between them. */
const MAX_CRASHES = 3;

/** Owns one worker at a time for the sessions that have entered. */
export class WorkerOwner implements WorkerSupervisor {
  readonly interrupts: InterruptCells | null;
  readonly #host: ClientHost;
  readonly #assets: string;
  readonly #onEnd: (() => void) | undefined;
  /** Sessions that have a worker, or wait for the next one. */
  readonly #sessions = new Set<WorkerSession>();
  /** Open sessions, and clients still connecting. */
  readonly #members = new Set<WorkerSession>();
  readonly #progressListeners = new Set<(event: ProgressEvent) => void>();
  #process: WorkerProcess | null = null;
  #started: Promise<ProcessStart> | null = null;
  #replacing: Promise<void> | null = null;
  #isUp = false;
  #crashes = 0;
  /** True if only the interpreter died, so that the worker can go on with another one. */
  #canRestart = false;
  #failure: TreeglassError | null = null;

  /** `onEnd` is called when no further worker will be started; given if clients share the worker. */
  constructor(host: ClientHost, assets: string, onEnd?: () => void) {
    this.#host = host;
    this.#assets = assets;
    this.#onEnd = onEnd;
    this.interrupts = host.sharesMemory ? new InterruptCells() : null;
  }

  get toHostPath(): ToHostPath | undefined {
    return this.#host.toHostPath;
  }

  stayAlive(): () => void {
    return this.#host.stayAlive?.() ?? (() => undefined);
  }

  /**
   * Attaches a session to the worker; the first session starts it.
   *
   * Rejects with `StartFailed`, or with the worker's refusal of the session's settings; the session
   * has to `leave` in that case too.
   */
  async enter(
    session: WorkerSession,
    onProgress?: (event: ProgressEvent) => void,
  ): Promise<ProcessStart> {
    this.#members.add(session);
    if (onProgress !== undefined) {
      this.#progressListeners.add(onProgress);
    }
    const letEnd = this.stayAlive();
    try {
      this.#started ??= this.#start();
      const start = await orEnded(session, this.#started);
      while (this.#replacing !== null) {
        await orEnded(session, this.#replacing);
      }
      if (this.#failure !== null || this.#process === null) {
        throw this.#failure ?? workerIsGone("It was ended.");
      }
      if (this.#members.has(session)) {
        this.#sessions.add(session);
        session.attach(this.#process);
      }
      const stopwatch = new Stopwatch();
      await stopwatch.time("configure", () => session.opened);
      return { ...start, phases: [...start.phases, ...stopwatch.phases] };
    } finally {
      letEnd();
      if (onProgress !== undefined) {
        this.#progressListeners.delete(onProgress);
      }
    }
  }

  hasOthers(session: WorkerSession): boolean {
    return [...this.#members].some((other) => other !== session);
  }

  leave(session: WorkerSession): void {
    this.#members.delete(session);
    if (!session.isLingering) {
      this.#sessions.delete(session);
    }
    if (this.#members.size === 0) {
      this.#end(new TreeglassError("Closed", "The client was closed; connect again."));
    }
  }

  /** Ends the worker, starts another one, and restores every session. */
  replace(): void {
    this.#isUp = false;
    if (!this.#canRestart) {
      this.#process?.end();
    }
    for (const session of this.#sessions) {
      session.detach({ workerGoesOn: this.#canRestart });
      if (!this.#members.has(session)) {
        this.#sessions.delete(session);
      }
    }
    this.#replacing ??= this.#replaceUntilUp().finally(() => {
      this.#replacing = null;
    });
  }

  /** Replaces a worker or interpreter that failed, or gives up after several crashes in a row. */
  crashed(reason: string, loss: Exclude<Loss, "nothing"> = "worker"): void {
    if (!this.#isUp) {
      return;
    }
    const blamed = [...this.#sessions].filter(({ calls }) => calls.blame(reason));
    // Nothing is wrong with a worker that lacks a file of one request, however often that is made.
    if (loss === "worker" || blamed.length === 0) {
      this.#crashes += 1;
    }
    if (this.#crashes > MAX_CRASHES) {
      this.#end(workerIsGone(reason));
    } else {
      this.#canRestart = loss === "interpreter";
      this.replace();
    }
  }

  succeeded(): void {
    this.#crashes = 0;
  }

  isWaitingBut(call: object): boolean {
    return [...this.#sessions].some((session) => session.calls.isWaitingBut(call));
  }

  stopAbandoned(): void {
    for (const session of this.#sessions) {
      session.calls.stopAbandoned();
    }
  }

  async #start(): Promise<ProcessStart> {
    const start = await this.#launch(false);
    this.#isUp = true;
    return start;
  }

  async #replaceUntilUp(): Promise<void> {
    // A worker may fail again while it restores the mounts.
    while (!this.#isUp && this.#failure === null) {
      const isRestarted = await this.#restart();
      if (this.#failure !== null) {
        return;
      }
      try {
        if (!isRestarted) {
          await this.#launch(true);
        }
      } catch (error) {
        this.#end(workerIsGone(reasonOf(error)));
        return;
      }
      this.#isUp = true;
      const process = this.#process;
      if (process !== null) {
        await Promise.all([...this.#sessions].map((session) => session.attach(process)));
      }
    }
  }

  /** Starts another interpreter in the worker, if that is possible; tells whether it did. */
  async #restart(): Promise<boolean> {
    if (!this.#canRestart || this.#process === null) {
      return false;
    }
    this.#canRestart = false;
    try {
      await this.#process.restart();
      return true;
    } catch {
      this.#process.end();
      return false;
    }
  }

  /**
   * Starts a worker from the image, and if that may be at fault, another one without it.
   *
   * A replacement starts again without the image, whatever it has failed of. Rejects with
   * `StartFailed`, or if it is ended meanwhile.
   */
  async #launch(
    isReplacement: boolean,
    fetching = this.#host.fetchStartFiles(this.#assets),
    usesImage = true,
  ): Promise<ProcessStart> {
    const process = new WorkerProcess(
      () => this.#host.makeWorker(this.#assets),
      () => this.crashed("The worker failed."),
      () => this.crashed("A message of the worker could not be read."),
    );
    this.#process = process;
    const { interrupts } = this;
    const onProgress = this.#hearsProgress ? this.#tellProgress : undefined;
    try {
      return await process.start({ fetching, usesImage, interrupts, onProgress });
    } catch (error) {
      const explained = await this.#explain(error);
      if (!usesImage || process.isGivenUp) {
        throw explained;
      }
      if (process.isListening) {
        // The fetched files may be at fault, or may never arrive.
        fetching.forget();
      }
      if (process.hasRefused || !(process.triedImage || isReplacement)) {
        throw explained;
      }
    }
    return this.#launch(isReplacement, fetching, false);
  }

  /** True if anyone hears of a start; a client that joins a shared worker hears the rest of it. */
  get #hearsProgress(): boolean {
    return this.#progressListeners.size > 0 || this.#onEnd !== undefined;
  }

  readonly #tellProgress = (event: ProgressEvent): void => {
    for (const listener of this.#progressListeners) {
      notify(listener, event);
    }
  };

  async #explain(error: unknown): Promise<unknown> {
    const isKnown = error instanceof TreeglassError && error.name === "StartFailed";
    return isKnown ? ((await this.#host.explainFailure?.(error, this.#assets)) ?? error) : error;
  }

  #end(failure: TreeglassError): void {
    this.#failure ??= failure;
    this.#isUp = false;
    this.#process?.end();
    for (const session of this.#sessions) {
      session.fail(this.#failure);
    }
    this.#onEnd?.();
  }
}

/** Rejects as soon as the session ends before it has a worker. */
function orEnded<Value>(session: WorkerSession, promise: Promise<Value>): Promise<Value> {
  return Promise.race([promise, session.opened.then(() => promise)]);
}
