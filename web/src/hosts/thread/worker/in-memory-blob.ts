/** Bytes that pass for a Blob, and can be read at once. */
export class InMemoryBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(content: ArrayBuffer) {
    // Given to the Blob itself, they would be there twice.
    super([]);
    this.#bytes = new Uint8Array(content);
  }

  /** Returns the bytes of a Blob that came from the program; throws for any other. */
  static bytesOf(blob: Blob): Uint8Array<ArrayBuffer> {
    if (blob instanceof InMemoryBlob) {
      return blob.#bytes;
    }
    throw new TypeError("The bytes of this Blob are not at hand.");
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
