/** Bytes that arrive in sequence and are read at random afterwards. */
import { joined } from "./bytes.ts";

/** A browser may keep Blobs on its disk: the default for bytes that stay in memory. */
export const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
/** Small writes are joined up to this size, since each array and each Blob has a cost. */
const PIECE_BYTES = 1024 * 1024;
const BLOB_BYTES = 8 * 1024 * 1024;

/** Collects bytes whose total is not known in advance. */
export class GrowingBuffer {
  readonly #maxBufferedBytes: number;
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #piecesBytes = 0;
  /** The last piece, whose end is yet to be filled. */
  #open = new Uint8Array();
  #openBytes = 0;
  #blobs: Blob[] = [];
  #sizeBytes = 0;

  /** More than `maxBufferedBytes` are kept in Blobs. */
  constructor(maxBufferedBytes = MAX_BUFFERED_BYTES) {
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Appends a copy of the bytes. */
  write(bytes: Uint8Array): void {
    for (let rest = bytes; rest.byteLength > 0; ) {
      if (this.#openBytes === this.#open.byteLength) {
        this.#openNext(rest.byteLength);
      }
      const fitting = rest.subarray(0, this.#open.byteLength - this.#openBytes);
      this.#open.set(fitting, this.#openBytes);
      this.#openBytes += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
    }
    this.#sizeBytes += bytes.byteLength;
    const ceilingBytes = this.#blobs.length === 0 ? this.#maxBufferedBytes : BLOB_BYTES;
    if (this.#piecesBytes + this.#openBytes > ceilingBytes) {
      this.#toBlob();
    }
  }

  /** Returns all bytes, as a Blob if they were too many for memory, and empties the buffer. */
  finish(): Uint8Array | Blob {
    this.#sizeBytes = 0;
    if (this.#blobs.length > 0) {
      this.#toBlob();
      return new Blob(this.#blobs.splice(0));
    }
    const pieces = this.#takePieces();
    const [only = new Uint8Array()] = pieces;
    return pieces.length <= 1 ? only : joined(pieces);
  }

  /** Makes room for the next bytes; the pieces grow, so that few bytes take little memory. */
  #openNext(wantedBytes: number): void {
    this.#closePiece();
    const roomBytes = Math.min(PIECE_BYTES, Math.max(wantedBytes, 2 * this.#open.byteLength));
    this.#open = new Uint8Array(roomBytes);
    this.#openBytes = 0;
  }

  #closePiece(): void {
    if (this.#openBytes > 0) {
      this.#pieces.push(this.#open.subarray(0, this.#openBytes));
      this.#piecesBytes += this.#openBytes;
    }
  }

  #takePieces(): Uint8Array<ArrayBuffer>[] {
    this.#closePiece();
    this.#open = new Uint8Array();
    this.#openBytes = 0;
    this.#piecesBytes = 0;
    return this.#pieces.splice(0);
  }

  #toBlob(): void {
    this.#blobs.push(new Blob(this.#takePieces()));
  }
}
