/**
 * Filesystem tools for an LLM agent that lives in a web page: they read a tree, and propose changes
 * that no mount receives.
 */
import type { TreeglassClient } from "./client/client.ts";
import { connectIn } from "./client/connect-in.ts";
import type { ConnectOptions } from "./client/connect-options.ts";
import { pageHost } from "./hosts/page/client-host.ts";

/**
 * Starts a worker with the tools in it, or joins the shared one.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, with `ConfigInvalid` or
 * `WorkspaceInvalid` if the settings are refused, or with the signal's reason. The worker has ended
 * in all these cases, unless another client shares it.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  return connectIn(pageHost, options);
}

export * from "./client/public.ts";
export { preload } from "./hosts/page/preload.ts";
