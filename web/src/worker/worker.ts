/** The module that a page starts as a worker. */
import { startInterpreter } from "./interpreter.ts";
import { serve } from "./serve.ts";

const blobs = new FileReaderSync();

serve(self, {
  startInterpreter,
  readBlob: (blob, start, end) => new Uint8Array(blobs.readAsArrayBuffer(blob.slice(start, end))),
});
