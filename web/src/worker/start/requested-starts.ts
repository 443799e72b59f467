/** Starts interpreters for a page, which sends the image in parts. */
import { withResolvers } from "../../lib/promises.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import type { StartParams } from "../../protocol/methods.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { ArrivingParts, ImagePart, ImageParts, SentCode } from "../../protocol/start.ts";
import type { WorkerHost } from "../worker-host.ts";
import { startFailed } from "./pyodide-modules.ts";
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

  receive(part: ImagePart): void {
    this.#image?.receive(part);
  }

  /** Notes that a message could not be decoded, which may have been a part. */
  refusePart(): void {
    this.#image?.refuse();
  }

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

/** The parts of one start; each rejects with the reason if it cannot be used. */
export class ImageArrival {
  readonly #arriving = {
    interpreter: arriving<ImageParts["interpreter"]>(),
    sideModule: arriving<ImageParts["sideModule"]>(),
    memory: arriving<ImageParts["memory"]>(),
  };
  readonly parts: ArrivingParts = {
    interpreter: this.#arriving.interpreter.promise,
    sideModule: this.#arriving.sideModule.promise,
    memory: this.#arriving.memory.promise,
  };

  receive(part: ImagePart): void {
    switch (part.name) {
      case "interpreter":
      case "sideModule":
        this.#arriving[part.name].resolve(compiled(part.part));
        break;
      case "memory":
        this.#arriving.memory.resolve(part.part);
        break;
      case "fault":
        this.#failAll(part.isOfFile ? new AssetFault(part.reason) : new Error(part.reason));
    }
  }

  refuse(): void {
    this.#failAll(new Error("a part of the image could not be read"));
  }

  #failAll(reason: Error): void {
    for (const { reject } of Object.values(this.#arriving)) {
      reject(reason);
    }
  }
}

function arriving<Part>() {
  const part = withResolvers<Part>();
  // After a failure of another part, no code handles the rejection of this one.
  part.promise.catch(() => undefined);
  return part;
}

async function compiled(code: SentCode): Promise<WebAssembly.Module> {
  return code instanceof Uint8Array ? WebAssembly.compile(code) : code;
}
