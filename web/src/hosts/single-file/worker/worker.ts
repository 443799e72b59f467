/** The worker of the single file: the same as ever, once it knows whom to ask for its files. */
import { askOverPort, holdAssets } from "../../../protocol/asset-files.ts";
import { serve } from "../../../worker/serve.ts";
import { runtimeStarter } from "../../../worker/start/start-runtime.ts";

// Pyodide knows by this, and refuses, a worker that is no module; it does not need one, and the
// browser starts none here.
Object.defineProperty(self, "importScripts", { value: undefined });

const blobs = new FileReaderSync();

addEventListener("message", ({ data }) => begin(data), { once: true });

function begin(port: MessagePort): void {
  holdAssets(askOverPort(port));
  serve(self, {
    runtimeStarter,
    readBlob: (blob, start, end) => new Uint8Array(blobs.readAsArrayBuffer(blob.slice(start, end))),
  });
}
