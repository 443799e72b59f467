/** Read-only filesystem tools for an LLM agent, in a Worker: the `workerd` side of `treeglass/edge`. */
import type { TreeglassClient } from "../../client/client.ts";
import type { ConnectOptions } from "../../client/connect-options.ts";
import { connectIsolate } from "./connect-isolate.ts";
import { isolateInterpreter } from "./isolate-interpreter.ts";

/**
 * Starts the tools in this isolate, or joins those that have started in it.
 *
 * Works in the global scope of a Worker, where it costs no request anything, and inside of a
 * request. All clients of an isolate use one interpreter, and none sees another's mounts,
 * configuration or working directory.
 *
 * There are no threads: what is asked is done by whoever asks. A call that has nothing to fetch is
 * done at once, and one that has waits without holding up the clients of others. A call that
 * computes cannot be stopped from outside: `timeoutMs` has no effect, and a signal is heeded before
 * a call and while it waits. What holds is the time-out of the tools themselves
 * (`[tools.timeouts]`), as far as the runtime's clock goes on while nothing is waited for, and the
 * platform's limit of CPU time, which ends the isolate.
 *
 * `shared` makes no difference and `assets` is not looked at: the Worker's bundle has the files.
 *
 * Rejects with `StartFailed` and a sentence that says what to do, with `ConfigInvalid` or
 * `WorkspaceInvalid` for settings that are refused, with `WorkerFailed` where the interpreter was
 * dead already, or with the signal's reason. The next call starts anew what failed or died.
 */
export async function connect(options: ConnectOptions = {}): Promise<TreeglassClient> {
  return connectIsolate(isolateInterpreter, options);
}

export * from "../../client/public.ts";
