/** A client of the tools that are shipped: their interpreter runs in a thread, as in a page's worker. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type TransferListItem, Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { TreeglassClient } from "../../src/client/client.ts";
import { ElapsedClock } from "../../src/client/elapsed-clock.ts";
import { Runtime } from "../../src/client/runtime/runtime.ts";
import { Session } from "../../src/client/runtime/session.ts";
import type { WorkerLike } from "../../src/client/runtime/worker-process.ts";
import type { EntriesSource } from "../../src/client/sources.ts";
import { withoutImage } from "./connected.ts";

const ASSETS = fileURLToPath(new URL("../../../dist/npm/assets/", import.meta.url));

/** A small project, with a file for each of ten calls at once. */
export const PROJECT: EntriesSource["entries"] = {
  "README.md": "# Sample\n\nA tree for agents.\n",
  "src/main.py": "def main():\n    return 0\n",
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`part-${index}.txt`, `This is part ${index}.\n`]),
  ),
};

/**
 * Starts a client with a tree at `/repo`; start one for a whole test file, and close it after.
 *
 * It runs what the last `build.py bundle` made.
 */
export async function startRealClient(entries = PROJECT): Promise<TreeglassClient> {
  const runtime = new Runtime({
    makeWorker: startThread,
    fetchStartFiles: withoutImage,
    sharesMemory: true,
  });
  const session = new Session(runtime, { config: {} });
  const start = await runtime.enter(session, () => undefined);
  const client = TreeglassClient.of(session, new ElapsedClock().report(start));
  await client.mount("/repo", { entries });
  return client;
}

let threadCode: string | null = null;

/** A thread takes no TypeScript, and code at a data address could not import Pyodide's files. */
function bundleThread(): string {
  const [module] = buildSync({
    entryPoints: [fileURLToPath(new URL("./real-thread.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  }).outputFiles;
  assert.ok(module);
  return module.text;
}

function startThread(): WorkerLike {
  threadCode ??= bundleThread();
  const thread = new Worker(threadCode, { eval: true, workerData: ASSETS });
  return {
    // Node's own type of what can be transferred is another one than the browser's.
    postMessage: (message, transfer) =>
      thread.postMessage(message, transfer as unknown as TransferListItem[]),
    addEventListener: (type, listener) => {
      thread.on(type, (told: unknown) =>
        listener(type === "error" ? { data: null, message: String(told) } : { data: told }),
      );
    },
    terminate: () => {
      thread.terminate();
    },
  };
}
