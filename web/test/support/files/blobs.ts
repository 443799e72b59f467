/** Blobs whose bytes can be read synchronously, which Node cannot do. */
import type { BlobReader } from "../../../src/sources/random-access.ts";

export interface ReadableBlobs {
  /** Every piece that was read: from, to. */
  readonly reads: [number, number][];
  readonly readBlob: BlobReader;
  makeFile(bytes: Uint8Array, name: string, lastModified?: number): File;
}

export function readableBlobs(): ReadableBlobs {
  // By media type, which is all that a clone keeps of what was said of a file.
  const contents = new Map<string, Uint8Array>();
  const reads: [number, number][] = [];
  return {
    reads,
    readBlob(blob, start, end) {
      const bytes = contents.get(blob.type);
      if (bytes === undefined) {
        throw new Error("the file was moved");
      }
      reads.push([start, end]);
      return bytes.slice(start, end);
    },
    makeFile(bytes, name, lastModified = 0) {
      const type = `application/x-readable-${contents.size}`;
      contents.set(type, bytes);
      return new File([bytes.slice()], name, { lastModified, type });
    },
  };
}
