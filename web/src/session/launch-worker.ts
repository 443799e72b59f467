/** Starts a worker from the image, and if that may be at fault, another one without it. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ClientHost } from "./session.ts";
import type { ProcessPlan, ProcessStart, WorkerProcess } from "./worker-process.ts";

export interface Launch extends Omit<ProcessPlan, "usesImage"> {
  readonly host: ClientHost;
  readonly assets: string;
  /** A replacement starts again without the image, whatever it has failed of. */
  readonly isReplacement: boolean;
  readonly make: () => WorkerProcess;
}

/** Rejects with `StartFailed`, or if the worker's owner ends it meanwhile. */
export async function launchWorker(launch: Launch, usesImage = true): Promise<ProcessStart> {
  const process = launch.make();
  try {
    return await process.start({ ...launch, usesImage });
  } catch (error) {
    const explained = await explain(error, launch);
    if (!usesImage || process.isGivenUp) {
      throw explained;
    }
    if (process.isListening) {
      // The fetched files may be at fault, or may never arrive.
      launch.fetching.forget();
    }
    if (process.hasRefused || !(process.triedImage || launch.isReplacement)) {
      throw explained;
    }
  }
  return launchWorker(launch, false);
}

async function explain(error: unknown, { host, assets }: Launch): Promise<unknown> {
  const isKnown = error instanceof TreeglassError && error.name === "StartFailed";
  return isKnown && host.explainFailure ? host.explainFailure(error, assets) : error;
}
