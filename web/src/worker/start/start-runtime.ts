/** The start of an interpreter, in the fastest way that works. */
import type { PyodideAPI } from "pyodide";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { StartFolders, StartImage, WorkerStart } from "../../protocol/start.ts";
import { Stopwatch } from "../../protocol/stopwatch.ts";
import { startFromImage } from "./from-image.ts";
import { startFromPackages } from "./from-packages.ts";
import { type LateModules, mountLateModules } from "./late-modules.ts";
import { beginToImport } from "./pyodide-modules.ts";
import { emscriptenFs, type Runtime, runtimeOf } from "./runtime.ts";

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
  load: beginToImport,
  async start(folders, image, report) {
    const stopwatch = new Stopwatch();
    report({ phase: "runtime", loaded: 0, total: 1 });
    let way: WorkerStart["way"] = "image";
    let reason: string | null = null;
    let pyodide: PyodideAPI | null = null;
    let late: LateModules | null = null;
    if (image !== null) {
      try {
        pyodide = await startFromImage(folders, image, stopwatch);
        late = mountLateModules(pyodide, emscriptenFs(pyodide), folders, image.archives);
        report({ phase: "runtime", loaded: 1, total: 1 });
      } catch (error) {
        pyodide = null;
        late = null;
        reason = error instanceof Error ? error.message : String(error);
      }
    }
    if (pyodide === null) {
      way = "packages";
      pyodide = await startFromPackages(folders, report, stopwatch);
    }
    const runtime = runtimeOf(pyodide, late);
    report({ phase: "ready", loaded: 1, total: 1 });
    return { runtime, start: { way, reason, phases: stopwatch.phases } };
  },
};
