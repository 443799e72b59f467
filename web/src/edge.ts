/**
 * Filesystem tools for an LLM agent, in programs that Node, Deno or Bun run: they read a tree, and
 * propose changes that no mount receives.
 */
import type { TreeglassClient } from "./client/client.ts";
import { connectIn } from "./client/connect-in.ts";
import {
  type AssetsOptions,
  type ConnectOptions,
  checkedAssetsOptions,
} from "./client/connect-options.ts";
import { threadHost } from "./hosts/thread/client-host.ts";
import { TreeglassError } from "./protocol/errors.ts";

// The class is that of the page's bundle, which has shortened its name.
Object.defineProperty(TreeglassError, "name", { value: "TreeglassError" });

/**
 * Starts a thread with the tools in it, or joins the shared one.
 *
 * The runtime is read from the package's `assets/` on disk, and never from the network. An open
 * client keeps the program running only while a call waits for its result.
 *
 * In workerd the same import starts no thread but an interpreter in the isolate, from files of the
 * Worker's bundle: `assets` and `shared` have no effect, since all clients of an isolate share its
 * interpreter. A running computation cannot be stopped there, so `timeoutMs` shortens only the
 * tools' own time-outs, and a signal takes effect before a call and while it waits.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, with `ConfigInvalid` or
 * `WorkspaceInvalid` if the settings are refused, or with the signal's reason. The thread has ended
 * in all these cases, unless another client shares it.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  return connectIn(threadHost, options);
}

/**
 * Checks its options, and fetches nothing: the files of a start lie on the disk.
 *
 * Pages that are rendered on a server import the same names in both places.
 */
export async function preload(options: AssetsOptions = {}): Promise<void> {
  checkedAssetsOptions(options);
}

export * from "./client/public.ts";
