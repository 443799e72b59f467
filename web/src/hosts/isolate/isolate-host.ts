/** The host of an interpreter in a Worker of workerd, which has no workers and no machine. */
import type { SourceHost } from "../../sources/source-context.ts";
import type { IsolateBlobs } from "./isolate-blobs.ts";

/** Returns the host of one client, whose Blobs are read into memory before a source reads them. */
export function isolateHost(blobs: IsolateBlobs): SourceHost {
  return {
    // A Blob of workerd lies in memory too, and cannot be read synchronously.
    maxBufferedBytes: Number.POSITIVE_INFINITY,
    readBlob: (blob, start, end) => blobs.read(blob, start, end),
    prepareBlob: (blob) => blobs.prepare(blob),
  };
}
