/**
 * Counts the modules of `src` that a method of the client enters, and the messages of its channels.
 *
 *     npx tsx test/support/trace-road.ts [--list]
 *
 * Page and worker run in one thread, with the interpreter of the last `build.py bundle`, so that
 * one profiler of V8 sees both. A module counts if one of its functions ran.
 */
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import type { TreeglassClient } from "../../src/client/client.ts";
import { connectIn } from "../../src/client/connect-in.ts";
import { threadHost } from "../../src/hosts/thread/client-host.ts";
import { threadWorkerHost } from "../../src/hosts/thread/worker/worker-host.ts";
import { inPage } from "../../src/session/start-failure.ts";
import type { WorkerEvent, WorkerLike } from "../../src/session/worker-process.ts";
import { serve } from "../../src/worker/serve.ts";
import { writeZip } from "./archives/zip-writer.ts";

const SOURCES = new URL("../../src/", import.meta.url).href;
const ASSETS = fileURLToPath(new URL("../../../dist/npm/assets/", import.meta.url));
const ZIP = writeZip([
  { name: "src/main.py", content: "def main():\n    return 0\n" },
  { name: "README.md", content: "# Sample\n" },
]);

const profiler = new Session();
/** The method or the type of each message. */
const sent: string[] = [];

/** Returns the page's end of a worker that runs in this thread. */
function workerInThread(): WorkerLike {
  const { port1, port2 } = new MessageChannel();
  // A thread cannot read a Blob synchronously, and the only one here is the archive.
  const readBlob = (_: Blob, start: number, end: number) => ZIP.subarray(start, end);
  serve(port2, { ...threadWorkerHost, readBlob });
  port2.start();
  port1.start();
  return {
    startWords: () => inPage("this thread"),
    postMessage: (message) => port1.postMessage(message),
    addEventListener(type: string, listener: (event: WorkerEvent) => void) {
      if (type !== "error") {
        port1.addEventListener(type, (event) =>
          listener({ data: "data" in event ? event.data : null }),
        );
      }
    },
    terminate: () => port1.close(),
  };
}

/** Notes each message that goes over a channel of this thread. */
function watchMessages(): void {
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (
    this: MessagePort,
    message: unknown,
    transfer?: Transferable[] | StructuredSerializeOptions,
  ) {
    const { method, type, part } = Object(message);
    // Pyodide has channels of its own, whose messages have none of these.
    if (type !== "resolve" && type !== undefined) {
      sent.push(String(method ?? part?.name ?? type));
    }
    Reflect.apply(postMessage, this, [message, transfer]);
  };
}

/** Returns the modules that ran since the last time, by their paths in `src`. */
async function entered(): Promise<readonly string[]> {
  const { result } = await profiler.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url, functions }) => {
      const ran = functions.flatMap(({ ranges }) => ranges.filter(({ count }) => count > 0));
      // The top level begins with its module.
      return url.startsWith(SOURCES) && ran.some(({ startOffset }) => startOffset > 0);
    })
    .map(({ url }) => url.slice(SOURCES.length))
    .sort();
}

async function trace<Outcome>(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
  await entered();
  sent.length = 0;
  const outcome = await run();
  const messages = [...sent];
  // What follows the answer belongs to it, such as an acknowledgement.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const modules = await entered();
  messages.push(...sent.slice(messages.length));
  process.stdout.write(
    `${name}: ${modules.length} modules, ${messages.length} messages (${messages.join(", ")})\n`,
  );
  if (process.argv.includes("--list")) {
    process.stdout.write(modules.map((module) => `  ${module}\n`).join(""));
  }
  return outcome;
}

watchMessages();
profiler.connect();
await profiler.post("Profiler.enable");
await profiler.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const client: TreeglassClient = await trace("connect", () =>
  connectIn({ ...threadHost, resolveAssets: () => ASSETS, makeWorker: workerInThread }, {}),
);
await trace("mount(zip)", () => client.mount("/repo", { archive: new Blob([ZIP.slice()]) }));
await client.callTool("list_dir", { dir_path: "/repo" });
// The first call has begun to fetch late code.
await new Promise((resolve) => setTimeout(resolve, 2000));
await trace("callTool", () => client.callTool("list_dir", { dir_path: "/repo" }));
await client.close();
process.exit();
