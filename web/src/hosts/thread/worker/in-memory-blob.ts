/** A Blob whose bytes can be read synchronously. */
export class InMemoryBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(content: ArrayBuffer) {
    // The Blob itself stays empty: it would keep a second copy of the bytes.
    super([]);
    this.#bytes = new Uint8Array(content);
  }

  /** Returns the bytes of an `InMemoryBlob`; throws for any other Blob. */
  static bytesOf(blob: Blob): Uint8Array<ArrayBuffer> {
    if (blob instanceof InMemoryBlob) {
      return blob.#bytes;
    }
    throw new TypeError("The bytes of this Blob are not in memory.");
  }

  override get size(): number {
    return this.#bytes.byteLength;
  }

  override slice(start = 0, end = this.size): Blob {
    return new Blob([this.#bytes.subarray(start, end)]);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }
}
