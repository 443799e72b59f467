/** A client and the worker's side of the protocol, over a real channel. */
import { MessageChannel, type MessagePort, type TransferListItem } from "node:worker_threads";
import { TreeglassClient } from "../../src/client/client.ts";
import { WorkerChannel, type WorkerEndpoint } from "../../src/client/worker-channel.ts";
import type { ProgressEvent } from "../../src/protocol/mounts.ts";
import type { EmscriptenFs } from "../../src/worker/emscripten-fs.ts";
import { type MessageEndpoint, serve } from "../../src/worker/serve.ts";
import type { Runtime } from "../../src/worker/start/runtime.ts";

/** What the interpreter answers to each method, where it is told so; may change at any time. */
export type Answers = Record<string, unknown>;

const ASSETS = "https://example.test/";
export const FOLDERS = { assets: ASSETS, pyodide: ASSETS, packages: ASSETS };

export const RESULT = {
  content: "Absolute path: /repo",
  structured: null,
  isError: false,
  error: null,
  truncated: false,
  nextArguments: null,
  warnings: [],
  elapsedMs: 1,
};

export const DEFINITION = {
  name: "list_dir",
  title: "List directory",
  description: "Lists entries.",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
};

/** A filesystem that only keeps account of its mounts; the real one is tested by itself. */
function accountOfMounts(): EmscriptenFs & { readonly mounted: Set<string> } {
  const mounted = new Set<string>();
  return {
    mounted,
    ErrnoError: class extends Error {
      constructor(errno: number) {
        super(`errno ${errno}`);
      }
    },
    createNode: () => {
      throw new Error("nothing looks into these mounts");
    },
    destroyNode: () => undefined,
    closeStream: () => undefined,
    mkdirTree: () => undefined,
    rmdir: () => undefined,
    mount: (_type, _options, mountpoint) => mounted.add(mountpoint),
    unmount: (mountpoint) => mounted.delete(mountpoint),
  };
}

/** One end of a channel as a worker; what `isUnreadable` picks arrives as a browser tells of it. */
export function endpointOf(
  port: MessagePort,
  isUnreadable: (data: unknown) => boolean = () => false,
): WorkerEndpoint & MessageEndpoint {
  return {
    // Node's own type of what can be transferred is another one than the browser's.
    postMessage: (message: unknown, transfer: unknown[] = []) =>
      port.postMessage(message, transfer as TransferListItem[]),
    addEventListener: (type, listener) => {
      port.on("message", (data) => {
        if (isUnreadable(data) === (type === "messageerror")) {
          listener({ data: type === "message" ? data : null });
        }
      });
    },
  };
}

export interface ConnectedOptions {
  readonly isUnreadableToWorker?: (data: unknown) => boolean;
  readonly isUnreadableToClient?: (data: unknown) => boolean;
  /** Picks what the worker's side cannot send, as a message that is too large for a browser. */
  readonly isUnsendable?: (data: unknown) => boolean;
}

/** Returns a started client, and what its worker's interpreter was asked. */
export async function connected(answers: Answers = {}, options: ConnectedOptions = {}) {
  const { port1, port2 } = new MessageChannel();
  const fs = accountOfMounts();
  const asked: unknown[] = [];
  const runtime: Runtime = {
    fs,
    setInterruptBuffer: () => undefined,
    openBridge: () => (requestText) => {
      const request = JSON.parse(requestText);
      asked.push(request);
      const defaults = {
        callTool: { result: RESULT },
        listTools: { result: { tools: [DEFINITION] } },
      };
      const answer = { ...defaults, ...answers }[String(request.method)] ?? { result: {} };
      if (answer instanceof Error) {
        throw answer;
      }
      return JSON.stringify(answer);
    },
  };
  const endpoint = endpointOf(port2, options.isUnreadableToWorker);
  const postMessage: MessageEndpoint["postMessage"] = (message) => {
    if (options.isUnsendable?.(message)) {
      throw new DOMException("Data cannot be cloned, out of memory.", "DataCloneError");
    }
    endpoint.postMessage(message);
  };
  serve(
    { ...endpoint, postMessage },
    {
      runtimeStarter: {
        load: () => undefined,
        start: async (_folders, _image, report) => {
          report({ phase: "ready", loaded: 1, total: 1 });
          return { runtime, start: { way: "packages", reason: null, phases: [] } };
        },
      },
      readBlob: () => new Uint8Array(),
    },
  );
  const channel = new WorkerChannel(endpointOf(port1, options.isUnreadableToClient));
  await channel.hello;
  const settings = { config: {}, projectRoot: "/repo" };
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => events.push(event);
  await channel.send("start", { folders: FOLDERS, image: null, settings }, { onProgress });
  const client = new TreeglassClient(channel, settings, () => port1.close());
  return { client, asked, events, fs, port1 };
}
