/** Connects a client to the interpreter of its isolate. */
import { TreeglassClient } from "../../client/client.ts";
import { settingsOf } from "../../client/connect-in.ts";
import { type ConnectOptions, checkedConnectOptions } from "../../client/connect-options.ts";
import { notify } from "../../lib/report-error.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { ElapsedClock } from "../../protocol/stopwatch.ts";
import type { SharedInterpreter } from "./interpreter.ts";
import { IsolateSession } from "./isolate-session.ts";

/** Starts an interpreter, or joins the running one; see `connect`. */
export async function connectIsolate(
  interpreters: SharedInterpreter,
  given: ConnectOptions,
): Promise<TreeglassClient> {
  const options = checkedConnectOptions(given);
  const { signal, onProgress } = options;
  const clock = new ElapsedClock();
  signal?.throwIfAborted();
  const session = new IsolateSession(interpreters, settingsOf(options), options);
  try {
    notify(onProgress, clock.time({ phase: "runtime", loaded: 0, total: 1 }));
    const { start } = await session.open(signal);
    notify(onProgress, clock.time({ phase: "runtime", loaded: 1, total: 1 }));
    notify(onProgress, clock.time({ phase: "ready", loaded: 1, total: 1 }));
    return TreeglassClient.of(session, clock.report(start));
  } catch (error) {
    session.close(new TreeglassError("Closed", "The client was not connected; connect again."));
    throw error;
  }
}
