import type { ConfigDocument } from "../protocol/config.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Settings } from "../protocol/messages.ts";
import type { TimedProgressEvent } from "../protocol/mounts.ts";
import { orAborted } from "../protocol/or-aborted.ts";
import { type AssetsOptions, assetsAddress, pageSurroundings } from "./assets.ts";
import { TreeglassClient } from "./client.ts";
import { ElapsedClock } from "./elapsed-clock.ts";
import { copyOf } from "./runtime/kept-state.ts";
import { Runtime } from "./runtime/runtime.ts";
import { Session } from "./runtime/session.ts";
import { requireAbsolute } from "./virtual-paths.ts";

/** How a client is started. */
export interface ConnectOptions extends AssetsOptions {
  /** The configuration. @default every table's defaults */
  readonly config?: ConfigDocument;
  /** The virtual directory that the tools call the project. @default the only mount, else "/" */
  readonly projectRoot?: string;
  /** The virtual directory that relative paths start from. @default the project root */
  readonly workingDir?: string;
  /**
   * Whether the client shares one worker with all others of the page that ask so, with the same
   * assets. It sees only its own mounts and settings, starts at once where the worker is there, and
   * costs no memory of its own; but one thing is done after the other for all of them, so that a
   * long call of one holds up the others. The worker ends with its last client. @default false
   */
  readonly shared?: boolean;
  readonly onProgress?: (event: TimedProgressEvent) => void;
  /** Aborting ends the worker, if no other client shares it. */
  readonly signal?: AbortSignal;
}

const sharedRuntimes = new Map<string, Runtime>();

/**
 * Starts a worker with the tools in it, or joins the shared one.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, with `ConfigInvalid` or
 * `WorkspaceInvalid` for settings that are refused, or with the signal's reason; the worker is
 * ended in all cases, unless another client shares it.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  const { signal, onProgress, shared = false } = options;
  const clock = new ElapsedClock();
  signal?.throwIfAborted();
  const settings = settingsOf(options);
  const assets = assetsAddress(options.assets);
  const runtime = shared ? sharedRuntime(assets) : new Runtime(pageSurroundings(assets));
  const session = new Session(runtime, settings);
  const entering = runtime.enter(session, (event) => onProgress?.(clock.time(event)));
  try {
    const start = await orAborted(entering, signal);
    return new TreeglassClient(session, clock.report(start));
  } catch (error) {
    session.close(new TreeglassError("Closed", "The client was not connected; connect again."));
    // What it had begun is over when this rejects: no worker, no timer.
    await entering.catch(() => undefined);
    throw error;
  }
}

function sharedRuntime(assets: string): Runtime {
  const before = sharedRuntimes.get(assets);
  if (before !== undefined) {
    return before;
  }
  const runtime: Runtime = new Runtime(pageSurroundings(assets), () => {
    if (sharedRuntimes.get(assets) === runtime) {
      sharedRuntimes.delete(assets);
    }
  });
  sharedRuntimes.set(assets, runtime);
  return runtime;
}

function settingsOf({ config = {}, projectRoot, workingDir }: ConnectOptions): Settings {
  return {
    config: copyOf(config),
    ...(projectRoot === undefined
      ? {}
      : { projectRoot: requireAbsolute("projectRoot", projectRoot) }),
    ...(workingDir === undefined ? {} : { workingDir: requireAbsolute("workingDir", workingDir) }),
  };
}
