/**
 * Filesystem tools for an LLM agent, in a Worker: what `treeglass` is in workerd.
 *
 * The tools read a tree, and propose changes that no mount receives.
 */
import * as assets from "treeglass:assets";
import type { TreeglassClient } from "../../client/client.ts";
import {
  type AssetsOptions,
  type ConnectOptions,
  checkedAssetsOptions,
} from "../../client/connect-options.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { connectIsolate } from "./connect-isolate.ts";
import { SharedInterpreter, startInterpreter } from "./interpreter.ts";

/** The interpreter of this isolate: one for all clients. */
const interpreter = new SharedInterpreter(() => startInterpreter(assets));

// The class is that of the page's bundle, which has shortened its name.
Object.defineProperty(TreeglassError, "name", { value: "TreeglassError" });

/**
 * Starts the tools in this isolate, or joins them if they run.
 *
 * Works inside of a request, and in the global scope of a Worker, where it takes no request's time.
 * All clients of an isolate use one interpreter, and none sees another's mounts, configuration or
 * working directory.
 *
 * There are no threads: a call runs in the request that makes it. A call that fetches nothing runs
 * at once, and a call that fetches does not delay the clients of other requests while it waits. A
 * running computation cannot be stopped: a signal takes effect before a call and while it waits.
 * Two limits remain: the tools' own time-outs (`[tools.timeouts]`, and `timeoutMs` if that is less),
 * as far as the runtime's clock advances during a computation, and the platform's limit of CPU
 * time, which ends the isolate.
 *
 * `shared` and `assets` have no effect: all clients share the isolate, and the Worker's bundle has
 * the files.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, with `ConfigInvalid` or
 * `WorkspaceInvalid` if the settings are refused, with `WorkerFailed` if the interpreter has died,
 * or with the signal's reason. The next call starts another interpreter after a failure.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  return connectIsolate(interpreter, options);
}

/** Checks its options, and fetches nothing: the Worker's bundle has the files of a start. */
export async function preload(options: AssetsOptions = {}): Promise<void> {
  checkedAssetsOptions(options);
}

export * from "../../client/public.ts";
