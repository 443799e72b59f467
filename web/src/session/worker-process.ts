/** One worker, from its start to its end. */

import { withResolvers } from "../lib/promises.ts";
import { reasonOf } from "../lib/report-error.ts";
import { AssetFault } from "../protocol/asset-files.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { InterruptCells } from "../protocol/interrupts.ts";
import { PROTOCOL } from "../protocol/messages.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { ImagePart, SentParts, WorkerStart } from "../protocol/start.ts";
import type { StartPhase } from "../protocol/start-report.ts";
import { Stopwatch } from "../protocol/stopwatch.ts";
import {
  didNotStart,
  failedToStart,
  mixedReleases,
  type StartWords,
  startTookTooLong,
} from "./start-failure.ts";
import type { StartFetch, StartFiles } from "./start-files.ts";
import { type ClientChannel, WorkerChannel, type WorkerEndpoint } from "./worker-channel.ts";

/** The part of a `Worker` that a page uses. */
export interface WorkerLike extends WorkerEndpoint {
  /** Returns the messages if it does not start. */
  startWords(): StartWords;
  addEventListener(
    type: "message" | "messageerror" | "error",
    listener: (event: WorkerEvent) => void,
  ): void;
  terminate(): void;
}

export interface WorkerEvent {
  readonly data: unknown;
  readonly message?: string;
  preventDefault?(): void;
}

/** The files of a start, and its listener; without one, the worker tells no progress. */
export interface ProcessPlan {
  readonly fetching: StartFetch;
  readonly usesImage: boolean;
  readonly interrupts: InterruptCells | null;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** The report of a worker's start, by the clock that page and worker share. */
export interface ProcessStart extends WorkerStart {
  readonly phases: readonly StartPhase[];
}

/** The worker's module is small: a worker that sends no hello within this time never will. */
const HELLO_TIMEOUT_MS = 30_000;
/** A start fetches eight megabytes over the network. */
const START_TIMEOUT_MS = 300_000;

export class WorkerProcess {
  readonly #worker: WorkerLike;
  readonly #channel: WorkerChannel;
  readonly #onCrash: () => void;
  /** Rejects when the worker fails or is ended. */
  readonly #failure = withResolvers<never>();
  isListening = false;
  /** True if the worker was told to start from the image. */
  triedImage = false;
  isGivenUp = false;
  /** True if another worker would fail in the same way, since this one has said why it does. */
  hasRefused = false;
  #isStarting = true;
  #isEnded = false;
  /** Null until the worker has said hello. */
  #plan: ProcessPlan | null = null;

  /**
   * Makes the worker.
   *
   * `onCrash` is called once for a crash after the worker's hello, and `onUnreadable` for a message
   * that cannot be decoded, after the start.
   */
  constructor(makeWorker: () => WorkerLike, onCrash: () => void, onUnreadable: () => void) {
    this.#worker = makeWorker();
    this.#onCrash = onCrash;
    this.#failure.promise.catch(() => undefined);
    this.#channel = new WorkerChannel(this.#worker, () => {
      if (this.#isStarting) {
        this.#crash("One of its messages could not be decoded.");
      } else {
        onUnreadable();
      }
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault?.();
      if (this.isListening) {
        this.#crash(event.message);
      } else {
        // A worker that does not load sends an error event only.
        this.#failure.reject(didNotStart(this.#words, event.message));
      }
    });
  }

  /**
   * Resolves when clients can use it.
   *
   * Rejects with `StartFailed`, or when the worker is ended; the worker has ended in both cases.
   */
  start(plan: ProcessPlan): Promise<ProcessStart> {
    return this.#start(plan).catch((error) => {
      this.#terminate();
      throw error;
    });
  }

  async #start(plan: ProcessPlan): Promise<ProcessStart> {
    const { fetching } = plan;
    const stopwatch = new Stopwatch();
    const checked = fetching.worker.catch((fault) => {
      throw didNotStart(this.#words, fault);
    });
    // A damaged module may run and never say hello.
    const hello = Promise.race([this.#channel.hello, checked.then(() => this.#channel.hello)]);
    const protocol = await stopwatch.time("worker", () =>
      this.#within(HELLO_TIMEOUT_MS, hello, () => didNotStart(this.#words, "no answer")),
    );
    this.isListening = true;
    if (protocol !== PROTOCOL) {
      this.hasRefused = true;
      throw mixedReleases(PROTOCOL, protocol);
    }
    this.#plan = plan;
    return await this.#startInterpreter(plan, checked, stopwatch);
  }

  /**
   * Starts another interpreter in the worker, in the place of one that died.
   *
   * Fetches nothing that the page and the worker have: it succeeds without a network. Rejects if it
   * fails; the worker has to be ended then.
   */
  async restart(): Promise<void> {
    if (this.#plan === null) {
      throw new TreeglassError("StartFailed", "The worker has not started.");
    }
    await this.#startInterpreter(this.#plan, Promise.resolve(), new Stopwatch());
  }

  async #startInterpreter(
    { fetching, usesImage, interrupts, onProgress }: ProcessPlan,
    checked: Promise<void>,
    stopwatch: Stopwatch,
  ): Promise<ProcessStart> {
    this.#isStarting = true;
    const tooLate = () => startTookTooLong(this.#words, START_TIMEOUT_MS);
    const plan = await this.#within(START_TIMEOUT_MS, fetching.plan, tooLate);
    const { folders } = plan;
    const image = usesImage ? plan.image : null;
    this.triedImage = image !== null;
    const params = {
      folders,
      image: image?.origin ?? null,
      interrupts: interrupts?.buffer ?? null,
    };
    const started = this.#channel.start(params, onProgress);
    if (image !== null) {
      sendParts(image.parts, (part) => this.#channel.number({ type: "part", part }));
    }
    started.catch(() => {
      this.hasRefused = !this.#isEnded;
    });
    const start = await this.#within(START_TIMEOUT_MS, started, tooLate);
    await this.#within(START_TIMEOUT_MS, checked, tooLate);
    // A start without the image does not wait for it.
    const fetched = start.way === "image" ? fetching.files : ifThere(fetching.files);
    const { phases: fetchPhases } = await this.#within(START_TIMEOUT_MS, fetched, tooLate);
    this.#isStarting = false;
    const phases = [...fetchPhases, ...stopwatch.phases, ...start.phases];
    const withheld = usesImage ? plan.reason : "the start from the image did not end";
    return { way: start.way, reason: image === null ? withheld : start.reason, phases };
  }

  openClient(): ClientChannel {
    return this.#channel.openClient();
  }

  /** Terminates the worker; no further event of it is handled. */
  end(): void {
    this.isGivenUp = true;
    this.#terminate();
  }

  #terminate(error = new TreeglassError("WorkerFailed", "The worker was ended.")): void {
    if (!this.#isEnded) {
      this.#isEnded = true;
      this.#channel.close();
      this.#worker.terminate();
      this.#failure.reject(error);
    }
  }

  get #words(): StartWords {
    return this.#worker.startWords();
  }

  #crash(reason: string | undefined): void {
    if (!this.#isEnded) {
      this.#terminate(failedToStart(this.#words, reason));
      this.#onCrash();
    }
  }

  async #within<Value>(
    timeoutMs: number,
    promise: Promise<Value>,
    error: () => TreeglassError,
  ): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(error()), timeoutMs);
    });
    try {
      return await Promise.race([promise, late, this.#failure.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns the outcome of a fetch if it has ended, else an empty one. */
function ifThere(files: Promise<StartFiles>): Promise<Pick<StartFiles, "phases">> {
  return Promise.race([files, Promise.resolve({ phases: [] })]);
}

/** Sends the parts of an image as they arrive; the page keeps them too. */
function sendParts(parts: SentParts, send: (part: ImagePart) => void): void {
  const sendFault = (fault: unknown) => {
    send({ name: "fault", reason: reasonOf(fault), isOfFile: fault instanceof AssetFault });
  };
  for (const name of ["interpreter", "sideModule"] as const) {
    parts[name].then((part) => send({ name, part })).catch(sendFault);
  }
  parts.memory.then((part) => send({ name: "memory", part })).catch(sendFault);
}
