/** The requests that bring to a worker what the one before had. */
import { TreeglassError } from "../protocol/errors.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import { reasonOf } from "../protocol/options.ts";
import { Call } from "./call.ts";
import type { KeptState } from "./kept-state.ts";
import { plain } from "./sendable.ts";

/** The most time for one mount: an address that never responds would delay all others. */
const MAX_MOUNT_MS = 60_000;

/** Returns requests for the settings, the mounts in their order, and the record of changes. */
export function restoresOf(kept: KeptState): Call[] {
  const { settings, mounts, state } = kept;
  const restores: Call[] = [new Call("configure", plain(settings), {}, true)];
  for (const [path, { sendable }] of mounts) {
    const keep = (report: MountReport) => kept.restore({ report, sendable });
    const options = { label: path, timeoutMs: () => MAX_MOUNT_MS, keep };
    restores.push(new Call("mount", sendable, options, true));
  }
  if (state !== undefined) {
    restores.push(new Call("restoreState", plain({ state }), {}, true));
  }
  return restores;
}

/** Returns why a mount could not be restored, as a clause. */
export function whyLost(error: unknown): string {
  if (error instanceof TreeglassError && error.name === "TimedOut") {
    return `it took longer than ${MAX_MOUNT_MS / 1000} s`;
  }
  return reasonOf(error);
}
