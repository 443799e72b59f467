/** Blobs whose bytes can be read while waiting, which Node has no means for. */
import type { BlobReader } from "../../src/sources/random-access.ts";

export interface ReadableBlobs {
  /** Every piece that was read: from, to. */
  readonly reads: [number, number][];
  readonly readBlob: BlobReader;
  makeFile(bytes: Uint8Array, name: string, lastModified?: number): File;
}

export function readableBlobs(): ReadableBlobs {
  const contents = new WeakMap<object, Uint8Array>();
  const reads: [number, number][] = [];
  return {
    reads,
    readBlob(blob, start, end) {
      const bytes = contents.get(blob);
      if (bytes === undefined) {
        throw new Error("the file was moved");
      }
      reads.push([start, end]);
      return bytes.slice(start, end);
    },
    makeFile(bytes, name, lastModified = 0) {
      const file = new File([bytes.slice()], name, { lastModified });
      contents.set(file, bytes);
      return file;
    },
  };
}
