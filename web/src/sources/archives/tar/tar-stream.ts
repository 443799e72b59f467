/** A tar archive as a tree, read once from start to end; the content of its files is kept. */
import { GrowingBuffer } from "../../../lib/growing-buffer.ts";
import { blobAccess, bytesAccess, type RandomAccess } from "../../random-access.ts";
import type { SourceHost } from "../../source-context.ts";
import type { FileContent } from "../../tree.ts";
import type { TreeBuilder } from "../../tree-builder.ts";
import { addTarEntry } from "./tar.ts";
import { cutShort, type TarStep, tarSteps } from "./tar-entries.ts";

const NO_BYTES = new Uint8Array();

/** Takes an archive block by block, and keeps only the content of the tree's files. */
export class TarStream {
  readonly #builder: TreeBuilder;
  readonly #host: SourceHost;
  readonly #steps = tarSteps();
  readonly #spool: GrowingBuffer;
  #step: IteratorResult<TarStep, void> = this.#steps.next();
  /** The first `#takenBytes` of the bytes that the parser waits for. */
  #taken: Uint8Array = NO_BYTES;
  #takenBytes = 0;
  #contentBytes = 0;
  #isContentWanted = false;
  #paddingBytes = 0;
  #kept: RandomAccess = bytesAccess(NO_BYTES);

  constructor(builder: TreeBuilder, host: SourceHost) {
    this.#builder = builder;
    this.#host = host;
    this.#spool = new GrowingBuffer(host.maxBufferedBytes);
  }

  /**
   * Takes the next bytes; what comes after the end mark is ignored.
   *
   * Throws `SourceUnreadable` if they are broken, `LimitExceeded` once the tree is too large.
   */
  push(block: Uint8Array): void {
    let rest = block;
    while (rest.byteLength > 0 && !this.#step.done) {
      rest = rest.subarray(this.#pushSome(rest, this.#step.value));
    }
  }

  /** Ends the archive: from now on its files can be read. Throws if it was cut short. */
  finish(): void {
    if (this.#contentBytes > 0) {
      throw cutShort();
    }
    let last = this.#taken.subarray(0, this.#takenBytes);
    while (!this.#step.done) {
      this.#step = this.#steps.next(last);
      last = NO_BYTES;
    }
    const kept = this.#spool.finish();
    this.#kept = kept instanceof Blob ? blobAccess(kept, this.#host.readBlob) : bytesAccess(kept);
  }

  /** Returns how many of the bytes the step used. */
  #pushSome(bytes: Uint8Array, step: TarStep): number {
    return step.kind === "take" ? this.#take(bytes, step.byteCount) : this.#pass(bytes);
  }

  #take(bytes: Uint8Array, byteCount: number): number {
    if (this.#takenBytes === 0 && bytes.byteLength >= byteCount) {
      this.#advance(bytes.subarray(0, byteCount));
      return byteCount;
    }
    if (this.#takenBytes === 0) {
      this.#taken = new Uint8Array(byteCount);
    }
    const count = Math.min(bytes.byteLength, byteCount - this.#takenBytes);
    this.#taken.set(bytes.subarray(0, count), this.#takenBytes);
    this.#takenBytes += count;
    if (this.#takenBytes === byteCount) {
      this.#takenBytes = 0;
      this.#advance(this.#taken);
    }
    return count;
  }

  #pass(bytes: Uint8Array): number {
    if (this.#contentBytes > 0) {
      const count = Math.min(bytes.byteLength, this.#contentBytes);
      if (this.#isContentWanted) {
        this.#spool.write(bytes.subarray(0, count));
      }
      this.#contentBytes -= count;
      this.#advanceIfPassed();
      return count;
    }
    const count = Math.min(bytes.byteLength, this.#paddingBytes);
    this.#paddingBytes -= count;
    this.#advanceIfPassed();
    return count;
  }

  #advanceIfPassed(): void {
    if (this.#contentBytes === 0 && this.#paddingBytes === 0) {
      this.#advance(NO_BYTES);
    }
  }

  /** Passes bytes to the parser, up to the step whose bytes have not come yet. */
  #advance(taken: Uint8Array): void {
    this.#step = this.#steps.next(taken);
    while (!this.#step.done && this.#step.value.kind === "entry") {
      const { entry, paddingBytes } = this.#step.value;
      const content = this.#contentFrom(this.#spool.sizeBytes);
      this.#isContentWanted = addTarEntry(entry, content, this.#builder);
      this.#contentBytes = entry.contentBytes;
      this.#paddingBytes = paddingBytes;
      if (this.#contentBytes > 0) {
        return;
      }
      this.#step = this.#steps.next(NO_BYTES);
    }
  }

  #contentFrom(spoolStart: number): FileContent {
    return {
      kind: "ranges",
      readRange: (start, end) => this.#kept.read(spoolStart + start, spoolStart + end),
    };
  }
}
