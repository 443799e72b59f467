/** The way to files of a page for a worker, with nothing in between. */
import { IsolateBlobs } from "../../../src/hosts/isolate/isolate-blobs.ts";
import type { Wire } from "../../../src/session/sendable.ts";
import type { FilesOpener } from "../../../src/sources/source-context.ts";

export interface BothEnds {
  readonly wire: Wire;
  readonly openFiles: FilesOpener;
}

/** Returns both ends. */
export function openWire(): BothEnds {
  const files = new IsolateBlobs();
  return { wire: files, openFiles: files.openTree };
}

export const noWire: Wire = {
  openFiles: () => {
    throw new Error("no files were expected");
  },
};

export const openNoFiles: FilesOpener = () => {
  throw new Error("no files were expected");
};
