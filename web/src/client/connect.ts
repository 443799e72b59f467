import type { ConfigDocument } from "../protocol/config.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Settings } from "../protocol/messages.ts";
import type { ProgressEvent } from "../protocol/mounts.ts";
import { TreeglassClient } from "./client.ts";
import { fetchStartFiles } from "./start-files.ts";
import { requireAbsolute } from "./virtual-paths.ts";
import { WorkerChannel } from "./worker-channel.ts";

/** How a client is started. */
export interface ConnectOptions {
  /**
   * The folder with the runtime and the wheels. @default "assets/" beside this module
   */
  readonly assets?: string | URL;
  /** The configuration. @default every table's defaults */
  readonly config?: ConfigDocument;
  /** The virtual directory that the tools call the project. @default the only mount, else "/" */
  readonly projectRoot?: string;
  /** The virtual directory that relative paths start from. @default the project root */
  readonly workingDir?: string;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Aborting ends the worker. */
  readonly signal?: AbortSignal;
}

/** The worker's module is small: if it does not speak by then, it never will. */
const HELLO_TIMEOUT_MS = 30_000;

/**
 * Starts a worker with the tools in it.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, or with the signal's reason; the
 * worker is ended in both cases.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const settings = settingsOf(options);
  const assets = assetsAddress(options.assets);
  const worker = startWorker();
  const channel = new WorkerChannel(worker);
  try {
    await hello(worker, channel, signal);
    const { folders, image } = await fetchStartFiles(assets);
    await channel.send("start", { folders, image, settings }, { signal, onProgress });
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return new TreeglassClient(channel, settings, () => worker.terminate());
}

function settingsOf({ config = {}, projectRoot, workingDir }: ConnectOptions): Settings {
  return {
    config,
    ...(projectRoot === undefined
      ? {}
      : { projectRoot: requireAbsolute("projectRoot", projectRoot) }),
    ...(workingDir === undefined ? {} : { workingDir: requireAbsolute("workingDir", workingDir) }),
  };
}

function assetsAddress(assets: string | URL = new URL("./assets/", import.meta.url)): string {
  let address: string;
  try {
    // A worker may connect too, and has no document.
    address = new URL(assets, globalThis.document?.baseURI ?? location.href).href;
  } catch (cause) {
    throw new TreeglassError("BadRequest", `assets is no address: ${String(assets)}`, { cause });
  }
  return address.endsWith("/") ? address : `${address}/`;
}

function startWorker(): Worker {
  if (typeof WebAssembly !== "object") {
    throw new TreeglassError(
      "StartFailed",
      "This browser has no WebAssembly, or the page's policy forbids it; allow 'wasm-unsafe-eval' in script-src, or use a current browser.",
    );
  }
  try {
    return new Worker(new URL("./worker.js", import.meta.url), {
      type: "module",
      name: "treeglass",
    });
  } catch (cause) {
    throw workerDidNotStart(cause);
  }
}

/** Waits until the worker listens; a worker that does not load says so by an error event only. */
async function hello(
  worker: Worker,
  channel: WorkerChannel,
  signal: AbortSignal | undefined,
): Promise<void> {
  let stopWaiting = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(workerDidNotStart("no answer")), HELLO_TIMEOUT_MS);
      const abort = () => reject(signal?.reason);
      stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      signal?.addEventListener("abort", abort);
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        // Before its hello this rejects the start, and after it every request.
        reject(workerDidNotStart(event.message));
        channel.fail(new TreeglassError("WorkerFailed", "The worker failed; connect again."));
      });
      channel.hello.then(resolve);
    });
  } finally {
    stopWaiting();
  }
}

function workerDidNotStart(cause: unknown): TreeglassError {
  return new TreeglassError(
    "StartFailed",
    "The worker did not start; serve worker.js beside index.js, from the page's own origin, to a browser with module workers.",
    { cause },
  );
}
