import { assetsAddress, pageSurroundings } from "./assets.ts";
import type { TreeglassClient } from "./client.ts";
import { connectIn } from "./connect-in.ts";
import type { ConnectOptions } from "./connect-options.ts";

/**
 * Starts a worker with the tools in it, or joins the shared one.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, with `ConfigInvalid` or
 * `WorkspaceInvalid` for settings that are refused, or with the signal's reason; the worker is
 * ended in all cases, unless another client shares it.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  return connectIn({ assetsAddress, ofAssets: pageSurroundings }, options);
}
