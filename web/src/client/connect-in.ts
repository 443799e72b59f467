/** Connects a client to a worker, on any host that has workers. */
import { orAborted } from "../lib/promises.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Settings } from "../protocol/methods.ts";
import { copyOf } from "../protocol/options.ts";
import { ElapsedClock } from "../protocol/stopwatch.ts";
import type { ClientHost } from "../session/session.ts";
import { WorkerOwner } from "../session/worker-owner.ts";
import { WorkerSession } from "../session/worker-session.ts";
import { TreeglassClient } from "./client.ts";
import { type ConnectOptions, checkedConnectOptions } from "./connect-options.ts";

const sharedOwners = new Map<string, WorkerOwner>();

/** Starts a worker, or joins the shared one; each host's `connect` lists the rejections. */
export async function connectIn(host: ClientHost, given: ConnectOptions): Promise<TreeglassClient> {
  const options = checkedConnectOptions(given);
  const { signal, onProgress, shared = false } = options;
  const clock = new ElapsedClock();
  signal?.throwIfAborted();
  const settings = settingsOf(options);
  const assets = host.resolveAssets(options.assets);
  const owner = shared ? sharedOwner(host, assets) : new WorkerOwner(host, assets);
  const session = new WorkerSession(owner, settings, options);
  const entering = owner.enter(session, onProgress && ((event) => onProgress(clock.time(event))));
  try {
    const start = await orAborted(entering, signal);
    return TreeglassClient.of(session, clock.report(start));
  } catch (error) {
    session.close(new TreeglassError("Closed", "The client was not connected; connect again."));
    // Rejects only after the start has ended, so that no worker and no timer is left.
    await entering.catch(() => undefined);
    throw error;
  }
}

function sharedOwner(host: ClientHost, assets: string): WorkerOwner {
  const before = sharedOwners.get(assets);
  if (before !== undefined) {
    return before;
  }
  const owner: WorkerOwner = new WorkerOwner(host, assets, () => {
    if (sharedOwners.get(assets) === owner) {
      sharedOwners.delete(assets);
    }
  });
  sharedOwners.set(assets, owner);
  return owner;
}

/** Returns the settings of a client; throws `BadRequest` for those that cannot be sent. */
export function settingsOf(options: ConnectOptions): Settings {
  const { config = {}, family, projectRoot, workingDir } = options;
  const own = copyOf(config);
  return {
    config: family === undefined ? own : { ...own, tools: { ...own.tools, family } },
    ...(projectRoot === undefined ? {} : { projectRoot }),
    ...(workingDir === undefined ? {} : { workingDir }),
  };
}
