/** Starts the workers of one assets folder. */
import { notify } from "../lib/report-error.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { InterruptCells } from "../protocol/interrupts.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { ClientHost } from "./session.ts";
import type { StartFetch } from "./start-files.ts";
import type { ProcessStart, WorkerProcess } from "./worker-process.ts";

/** Starts a worker from the image, and if that may be at fault, another one without it. */
export class WorkerLauncher {
  /** Hear how far a start is. */
  readonly progressListeners = new Set<(event: ProgressEvent) => void>();
  readonly #host: ClientHost;
  readonly #assets: string;
  readonly #interrupts: InterruptCells | null;

  constructor(host: ClientHost, assets: string, interrupts: InterruptCells | null) {
    this.#host = host;
    this.#assets = assets;
    this.#interrupts = interrupts;
  }

  /** Starts a worker that `make` makes; a replacement is tried twice, whatever it fails of. */
  async launch(make: () => WorkerProcess, isReplacement: boolean): Promise<ProcessStart> {
    const fetching = this.#host.fetchStartFiles(this.#assets);
    const process = make();
    try {
      return await this.#start(process, fetching, true);
    } catch (error) {
      if (process.isGivenUp) {
        throw error;
      }
      if (process.isListening) {
        // The fetched files may be at fault, or may never arrive.
        fetching.forget();
      }
      if (process.hasRefused || !(process.triedImage || isReplacement)) {
        throw error;
      }
    }
    return this.#start(make(), fetching, false);
  }

  async #start(
    process: WorkerProcess,
    fetching: StartFetch,
    usesImage: boolean,
  ): Promise<ProcessStart> {
    const onProgress = (event: ProgressEvent) => {
      for (const listener of this.progressListeners) {
        notify(listener, event);
      }
    };
    try {
      const interrupts = this.#interrupts;
      return await process.start({ fetching, usesImage, interrupts, onProgress });
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  async #explained(error: unknown): Promise<unknown> {
    const { explainFailure } = this.#host;
    const isKnown = error instanceof TreeglassError && error.name === "StartFailed";
    return isKnown && explainFailure ? explainFailure(error, this.#assets) : error;
  }
}
