/** Starts interpreters for a page, which sends the image in parts. */
import type { StartParams } from "../../protocol/methods.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { ImagePart } from "../../protocol/start.ts";
import type { WorkerHost } from "../worker-host.ts";
import { ImageArrival } from "./image-parts.ts";
import { startFailed } from "./start-failed.ts";
import type { RuntimeStarter, Started } from "./start-runtime.ts";

/** One start after another; the parts that arrive are those of the last one. */
export class RequestedStarts {
  readonly #host: WorkerHost;
  readonly #starter: RuntimeStarter;
  #image: ImageArrival | null = null;

  constructor(host: WorkerHost, starter: RuntimeStarter) {
    this.#host = host;
    this.#starter = starter;
  }

  /** Prepares a start that waits for its turn: it needs the files meanwhile. */
  prepare({ folders, image }: StartParams): void {
    this.#image = image === null ? null : new ImageArrival();
    this.#starter.load(folders);
  }

  /** Takes a part of the image. */
  receive(part: ImagePart): void {
    this.#image?.receive(part);
  }

  /** Notes that a message could not be decoded, which may have been a part. */
  refusePart(): void {
    this.#image?.refuse();
  }

  /** Starts an interpreter; rejects with `StartFailed`. */
  async start(
    { folders, image: origin }: StartParams,
    report: (event: ProgressEvent) => void,
  ): Promise<Started> {
    const parts = this.#image?.parts;
    const image = origin === null || parts === undefined ? null : { ...origin, parts };
    try {
      return await this.#starter.start(folders, image, report);
    } catch (cause) {
      const error = startFailed(
        "The runtime failed while it started",
        cause,
        "Serve every file of the package's assets folder, as it was published.",
      );
      throw (await this.#host.explainFailure?.(error, folders.assets)) ?? error;
    }
  }
}
