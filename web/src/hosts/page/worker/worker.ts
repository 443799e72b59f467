/** The module that a page starts as a worker. */
import { serve } from "../../../worker/serve.ts";
import { runtimeStarter } from "../../../worker/start/start-runtime.ts";

const blobs = new FileReaderSync();

serve(self, {
  runtimeStarter,
  readBlob: (blob, start, end) => new Uint8Array(blobs.readAsArrayBuffer(blob.slice(start, end))),
});
