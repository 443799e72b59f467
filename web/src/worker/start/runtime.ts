/** A running interpreter that has the wheel, text in and text out, and its start for a page. */
import type { PyodideAPI } from "pyodide";
import { reasonOf } from "../../lib/report-error.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { StartParams } from "../../protocol/methods.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { ImagePart, StartFolders, WorkerStart } from "../../protocol/start.ts";
import { Stopwatch } from "../../protocol/stopwatch.ts";
import type { Zlib } from "../../sources/source-context.ts";
import { type Bridge, InterpreterFailed } from "../bridge.ts";
import type { TreeCalls } from "../tree-calls.ts";
import type { WorkerHost } from "../worker-host.ts";
import { type ArrivingImage, ImageArrival, startFromImage } from "./from-image.ts";
import { startFromPackages } from "./from-packages.ts";
import { InterpreterZlib, zlibModuleOf } from "./interpreter-zlib.ts";
import { LateCode, type LateModules, placeLateModules } from "./late-files.ts";
import { beginToImport, missingAssets, startFailed } from "./pyodide-modules.ts";

export interface Runtime {
  /** The archives that a request may have to wait for; null if all modules are there. */
  readonly late: LateModules | null;
  /** Fetches what the start has left out and calls need; repeatable. Missing if all code is there. */
  readonly fetchLateCode?: () => void;
  /** Returns the interpreter's zlib, which the first file of an archive needs. */
  readonly zlib: () => Zlib;
  /**
   * Makes a bridge with mounts, a configuration and tools of its own.
   *
   * `trees` are those that it may mount.
   *
   * Throws `InterpreterFailed` if the interpreter has died.
   */
  openBridge(trees: TreeCalls): Bridge;
  /**
   * Stops the running request when the first byte of the buffer becomes 2; null ends that.
   *
   * A stopped request throws out of its bridge, and the next one runs as usual. A signal that comes
   * too late stops the next request: clear the buffer before each.
   */
  setInterruptBuffer(buffer: Uint8Array | null): void;
}

/** Returns the runtime of an interpreter that can import the wheel. */
export function runtimeOf(
  pyodide: PyodideAPI,
  late: LateModules | null,
  fetchLateCode?: () => void,
): Runtime {
  // A line of Python would do the same, but Python would have to compile it first.
  const bridgeClass = pyodide.pyimport("treeglass.bridge").Bridge;
  if (typeof bridgeClass !== "function") {
    throw new TreeglassError("StartFailed", "The wheel has no bridge; install the package again.");
  }
  let zlib: Zlib | null = null;
  return {
    late,
    zlib() {
      zlib ??= new InterpreterZlib(zlibModuleOf(pyodide));
      return zlib;
    },
    ...(fetchLateCode && { fetchLateCode }),
    openBridge(trees) {
      const handle: unknown = orFailed(() => bridgeClass(trees).handle);
      if (typeof handle !== "function") {
        throw new TreeglassError(
          "StartFailed",
          "The wheel's bridge has no function to call; install the package again.",
        );
      }
      return handle as Bridge;
    },
    setInterruptBuffer(buffer) {
      // Pyodide cannot remove a buffer, so a private one takes its place.
      pyodide.setInterruptBuffer(buffer ?? new Uint8Array(1));
    },
  };
}

function orFailed<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new InterpreterFailed(cause);
  }
}

export interface Started {
  readonly runtime: Runtime;
  readonly start: WorkerStart;
}

export interface RuntimeStarter {
  /** Begins to load the runtime's code, so that it is there when the image arrives. */
  load(folders: StartFolders): void;
  /**
   * Starts from the image, or from the packages if it cannot.
   *
   * Rejects with `AssetFault` for a file that is missing or damaged, and with other errors.
   */
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
      const lateCode = new LateCode(host, folders);
      let reason: string | null = null;
      let restored: { readonly pyodide: PyodideAPI; readonly late: LateModules } | null = null;
      try {
        if (image !== null) {
          const pyodide = await startFromImage(host, folders, image, stopwatch, lateCode);
          const late = placeLateModules(host, pyodide, folders, image.archives);
          report({ phase: "runtime", loaded: 1, total: 1 });
          restored = { pyodide, late };
        }
      } catch (error) {
        // A start from the packages would run in spite of a file that is not as published.
        if (error instanceof AssetFault || error instanceof TreeglassError) {
          throw error;
        }
        reason = reasonOf(error);
      }
      const { pyodide, late } = restored ?? {
        pyodide: await startFromPackages(host, folders, report, stopwatch),
        late: null,
      };
      // A search is the likeliest of what needs either, and it needs a module.
      const fetchLate = async () => {
        await late?.fetch();
        await lateCode.fetch();
      };
      const runtime = runtimeOf(pyodide, late, () => void fetchLate());
      report({ phase: "ready", loaded: 1, total: 1 });
      const way = restored === null ? "packages" : "image";
      return { runtime, start: { way, reason, phases: stopwatch.phases } };
    },
  };
}

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
      const error =
        cause instanceof AssetFault
          ? missingAssets(this.#host, folders.assets, cause.message, cause)
          : startFailed(
              "The runtime failed while it started",
              cause,
              "Serve every file of the package's assets folder, as it was published.",
            );
      throw (await this.#host.explainFailure?.(error, folders.assets)) ?? error;
    }
  }
}
