/** The module that a program starts as a thread. */
import { EventEmitter } from "node:events";
import process from "node:process";
import { parentPort } from "node:worker_threads";
import { isRecord } from "../../../lib/checks.ts";
import { LateCodeMissing } from "../../../worker/bridge.ts";
import { serve } from "../../../worker/serve.ts";
import { InMemoryBlob, threadWorkerHost } from "./worker-host.ts";

const program = parentPort;
if (program === null) {
  throw new Error("This module runs in a thread, which treeglass/edge starts.");
}

// Node warns of a leak where a signal has more listeners than this, and a call that fetches many
// files adds one for each that it fetches at the same time.
EventEmitter.defaultMaxListeners = 0;

// Emscripten drops a promise that rejects while it starts, which would end the thread before the
// start could tell the same fault.
process.on("unhandledRejection", (reason) => {
  if (!(reason instanceof LateCodeMissing)) {
    throw reason;
  }
});

serve(
  {
    postMessage: (message) => program.postMessage(message),
    addEventListener: (type, listener) => {
      program.on(type, (message: unknown) => listener({ data: withBlob(message) }));
    },
  },
  threadWorkerHost,
);

/** Returns a message in the form that a page sends: the program sends the bytes of files. */
function withBlob(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message.reply)) {
    return message;
  }
  const { joined } = message.reply;
  return joined instanceof ArrayBuffer
    ? { ...message, reply: { ...message.reply, joined: new InMemoryBlob(joined) } }
    : message;
}
