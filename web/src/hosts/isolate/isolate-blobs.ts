/** Keeps what a caller passed to its sources: the bytes of Blobs, and files to read later. */
import { unreadable } from "../../protocol/refusals.ts";
import type { FileLine, Wire } from "../../session/sendable.ts";
import type { FilesOpener, SourceHost } from "../../sources/source-context.ts";

type AnswerFiles = (indices: readonly number[]) => void;

/** Reads Blobs in advance, and connects files with the tree that reads them. */
export class IsolateBlobs implements Wire {
  /** Reading a Blob takes a wait, and the interpreter cannot wait. */
  readonly #bytes = new WeakMap<Blob, Uint8Array>();
  readonly #servers = new Map<number, AnswerFiles>();
  readonly #trees = new Map<number, Parameters<FilesOpener>[1]>();
  #lastServer = 0;

  openFiles(answer: AnswerFiles): FileLine {
    this.#lastServer += 1;
    const server = this.#lastServer;
    this.#servers.set(server, answer);
    // Not by a `MessageChannel`: workerd's deliver only during the request that opened them, and
    // later requests read the tree.
    return {
      server,
      send: (reply) => queueMicrotask(() => this.#trees.get(server)?.(reply)),
      close: () => {
        this.#servers.delete(server);
        queueMicrotask(() => this.#trees.get(server)?.(null));
      },
    };
  }

  readonly openTree: FilesOpener = (server, hear) => {
    this.#trees.set(server, hear);
    return {
      ask: (indices) =>
        queueMicrotask(() => {
          const answer = this.#servers.get(server) ?? (() => hear(null));
          answer(indices);
        }),
      close: () => this.#trees.delete(server),
    };
  };

  async prepare(blob: Blob): Promise<void> {
    this.#bytes.set(blob, new Uint8Array(await blob.arrayBuffer()));
  }

  read(blob: Blob, start: number, end: number): Uint8Array {
    const bytes = this.#bytes.get(blob);
    if (bytes === undefined) {
      throw unreadable();
    }
    return bytes.subarray(start, end);
  }
}

/** Returns the host of one client, whose Blobs are read into memory before a source reads them. */
export function isolateHost(blobs: IsolateBlobs): SourceHost {
  return {
    // A Blob of workerd lies in memory too, and cannot be read synchronously.
    maxBufferedBytes: Number.POSITIVE_INFINITY,
    readBlob: (blob, start, end) => blobs.read(blob, start, end),
    prepareBlob: (blob) => blobs.prepare(blob),
  };
}
