/** Starts an interpreter from the image, or from the packages if that fails. */

import type { PyodideAPI } from "pyodide";
import { reasonOf } from "../../lib/report-error.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { StartFolders, WorkerStart } from "../../protocol/start.ts";
import { Stopwatch } from "../../protocol/stopwatch.ts";
import type { WorkerHost } from "../worker-host.ts";
import { type ArrivingImage, startFromImage } from "./from-image.ts";
import { startFromPackages } from "./from-packages.ts";
import { LateCode } from "./late-code.ts";
import { type LateModules, placeLateModules } from "./late-modules.ts";
import { beginToImport, missingAssets } from "./pyodide-modules.ts";
import { type Runtime, runtimeOf } from "./runtime.ts";

export interface Started {
  readonly runtime: Runtime;
  readonly start: WorkerStart;
}

export interface RuntimeStarter {
  /** Begins to load the runtime's code, so that it is there when the image arrives. */
  load(folders: StartFolders): void;
  /** Starts from the image, or from the packages if it cannot; rejects with `StartFailed`. */
  start(
    folders: StartFolders,
    image: ArrivingImage | null,
    report: (event: ProgressEvent) => void,
  ): Promise<Started>;
}

export function runtimeStarter(host: WorkerHost): RuntimeStarter {
  return {
    load(folders) {
      host.watch?.(folders.assets);
      beginToImport(host, folders);
    },
    async start(folders, image, report) {
      if (folders.fault !== null) {
        throw missingAssets(host, folders.assets, folders.fault);
      }
      host.requireAbility?.();
      const stopwatch = new Stopwatch();
      report({ phase: "runtime", loaded: 0, total: 1 });
      let way: WorkerStart["way"] = "image";
      let reason: string | null = null;
      let pyodide: PyodideAPI | null = null;
      let late: LateModules | null = null;
      const lateCode = new LateCode(host, folders);
      if (image !== null) {
        try {
          pyodide = await startFromImage(host, folders, image, stopwatch, lateCode);
          late = placeLateModules(host, pyodide, folders, image.archives);
          report({ phase: "runtime", loaded: 1, total: 1 });
        } catch (error) {
          // A start from the packages would run in spite of a file that is not as published.
          throwFault(host, folders, error);
          pyodide = null;
          late = null;
          reason = reasonOf(error);
        }
      }
      if (pyodide === null) {
        way = "packages";
        pyodide = await startFromPackages(host, folders, report, stopwatch).catch((error) => {
          throwFault(host, folders, error);
          throw error;
        });
      }
      // A search is the likeliest of what needs either, and it needs a module.
      const fetchLate = async () => {
        await late?.fetch();
        await lateCode.fetch();
      };
      const runtime = runtimeOf(pyodide, late, () => void fetchLate());
      report({ phase: "ready", loaded: 1, total: 1 });
      return { runtime, start: { way, reason, phases: stopwatch.phases } };
    },
  };
}

/** Throws `StartFailed` for an error that says which file is missing or damaged. */
function throwFault(host: WorkerHost, { assets }: StartFolders, error: unknown): void {
  if (error instanceof AssetFault) {
    throw missingAssets(host, assets, error.message, error);
  }
  if (error instanceof TreeglassError) {
    throw error;
  }
}
