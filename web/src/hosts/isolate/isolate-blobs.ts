/** Blobs that a source names, and the bytes of the taken ones. */

import type { BlobHandle } from "../../protocol/source-kinds.ts";
import type { SentBlob } from "../../session/blob-sender.ts";
import { UNREADABLE } from "../../worker/received-blobs.ts";

/** Keeps Blobs until they are taken, and reads the taken ones. */
export class IsolateBlobs {
  readonly #blobs = new Map<BlobHandle, Blob>();
  /** Read in advance: reading a Blob takes a wait, and the interpreter cannot wait. */
  readonly #bytes = new WeakMap<Blob, Uint8Array>();
  #lastHandle = 0;

  put(blob: Blob): SentBlob {
    this.#lastHandle += 1;
    const handle = this.#lastHandle;
    this.#blobs.set(handle, blob);
    return { handle, withdraw: () => this.#blobs.delete(handle) };
  }

  /** Returns a Blob once, with all its bytes in memory. */
  async take(handle: BlobHandle): Promise<Blob> {
    const blob = this.#blobs.get(handle);
    if (blob === undefined) {
      throw UNREADABLE;
    }
    this.#blobs.delete(handle);
    this.#bytes.set(blob, new Uint8Array(await blob.arrayBuffer()));
    return blob;
  }

  /** Returns bytes of a taken Blob. */
  read(blob: Blob, start: number, end: number): Uint8Array {
    const bytes = this.#bytes.get(blob);
    if (bytes === undefined) {
      throw UNREADABLE;
    }
    return bytes.subarray(start, end);
  }
}
