import type { TreeglassClient } from "../../client/client.ts";
import { connectIn } from "../../client/connect-in.ts";
import type { ConnectOptions } from "../../client/connect-options.ts";
import { assetsAddress, pageSurroundings } from "./page-host.ts";

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
