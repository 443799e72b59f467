/** The start of an interpreter, in the fastest way that works. */
import type { ProgressEvent } from "../../protocol/mounts.ts";
import type { StartFolders, StartImage, WorkerStart } from "../../protocol/start.ts";
import { Stopwatch } from "../../protocol/stopwatch.ts";
import { startFromPackages } from "./from-packages.ts";
import { type Runtime, runtimeOf } from "./runtime.ts";

/** What a start comes to. */
export interface Started {
  readonly runtime: Runtime;
  readonly start: WorkerStart;
}

/** Starts an interpreter. */
export interface RuntimeStarter {
  /** Begins to load the runtime's code, so that it is there when the image has arrived. */
  load(folders: StartFolders): void;
  /** Starts from the image, or from the packages where that cannot be; throws `StartFailed`. */
  start(
    folders: StartFolders,
    image: StartImage | null,
    report: (event: ProgressEvent) => void,
  ): Promise<Started>;
}

export const runtimeStarter: RuntimeStarter = {
  load: () => undefined,
  async start(folders, image, report) {
    const stopwatch = new Stopwatch();
    const pyodide = await startFromPackages(folders, report, stopwatch);
    const runtime = await stopwatch.time("configure", () => runtimeOf(pyodide));
    report({ phase: "ready", loaded: 1, total: 1 });
    const reason = image === null ? null : "not built yet";
    return { runtime, start: { way: "packages", reason, phases: stopwatch.phases } };
  },
};
