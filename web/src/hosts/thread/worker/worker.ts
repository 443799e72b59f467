/** The module that a program starts as a thread. */
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import { isRecord } from "../../../lib/checks.ts";
import { keepSpoolsInMemory } from "../../../lib/growing-buffer.ts";
import { holdAssets } from "../../../protocol/asset-files.ts";
import { serve } from "../../../worker/serve.ts";
import { importModulesBy } from "../../../worker/start/pyodide-modules.ts";
import { runtimeStarter } from "../../../worker/start/start-runtime.ts";
import { openHostDirectory } from "./host-directory.ts";
import { InMemoryBlob } from "./in-memory-blob.ts";
import { readPackageFile, wordUnreadable } from "./package-files.ts";

holdAssets(readPackageFile, wordUnreadable);
keepSpoolsInMemory();
importModulesBy((path) => import(pathToFileURL(path).href));

const program = parentPort;
if (program === null) {
  throw new Error("This module runs in a thread, which treeglass/edge starts.");
}

serve(
  {
    postMessage: (message) => program.postMessage(message),
    addEventListener: (type, listener) => {
      program.on(type, (message: unknown) => listener({ data: withBlob(message) }));
    },
  },
  {
    runtimeStarter,
    readBlob: (blob, start, end) => InMemoryBlob.bytesOf(blob).subarray(start, end),
    openHostDirectory,
  },
);

/** Returns a message as a page sends it: with a Blob, of which only the bytes came. */
function withBlob(message: unknown): unknown {
  return isRecord(message) && message.content instanceof ArrayBuffer
    ? { type: message.type, handle: message.handle, blob: new InMemoryBlob(message.content) }
    : message;
}
