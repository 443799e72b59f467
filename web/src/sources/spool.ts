/** Bytes that arrive one after the other, and are wanted at random afterwards. */

/** Up to so many bytes are kept in memory; beyond, in Blobs that a browser may put on its disk. */
const MEMORY_CEILING_BYTES = 64 * 1024 * 1024;
/** Small writes are put together up to this size, since each Blob costs. */
const BLOB_BYTES = 8 * 1024 * 1024;

/** Collects bytes of a number that nobody knows before. */
export class Spool {
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #piecesBytes = 0;
  #blobs: Blob[] = [];
  #sizeBytes = 0;

  /** How many bytes were written. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Appends a copy of the bytes. */
  write(bytes: Uint8Array): void {
    this.#pieces.push(new Uint8Array(bytes));
    this.#piecesBytes += bytes.byteLength;
    this.#sizeBytes += bytes.byteLength;
    const ceilingBytes = this.#blobs.length === 0 ? MEMORY_CEILING_BYTES : BLOB_BYTES;
    if (this.#piecesBytes > ceilingBytes) {
      this.#toBlob();
    }
  }

  /** Returns all bytes: as they are where they are few, else as a Blob. The spool is then empty. */
  finish(): Uint8Array | Blob {
    if (this.#blobs.length > 0) {
      this.#toBlob();
      return new Blob(this.#blobs.splice(0));
    }
    const whole = new Uint8Array(this.#piecesBytes);
    let at = 0;
    for (const piece of this.#pieces.splice(0)) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  #toBlob(): void {
    this.#blobs.push(new Blob(this.#pieces.splice(0)));
    this.#piecesBytes = 0;
  }
}
