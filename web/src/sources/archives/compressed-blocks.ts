/** The inflated bytes of a compressed file, block by block, whoever inflates them. */
import { TreeglassError } from "../../protocol/errors.ts";
import { RATIO_EXEMPT_BYTES } from "../limits.ts";
import type { SourceContext } from "../source-context.ts";

export type Compression = "gzip" | "bzip2" | "xz";

/** Inflated bytes, and how far the compressed ones have been read by then. */
export interface InflatedBlock {
  readonly bytes: Uint8Array;
  readonly consumedBytes: number;
}

/**
 * Compressed bytes that are handed over at once.
 *
 * A browser inflates them whole before it says anything: at most 1,032 times as many, 16 MiB.
 */
const PIECE_BYTES = 16 * 1024;
/** The same where they may be a bomb: at most 264 KiB come of them. */
const TINY_PIECE_BYTES = 256;
/** What has come so near to `maxCompressionRatio`, as a part of it, may be a bomb. */
const SUSPICIOUS_PART = 4;
/** Compressed bytes that are read at once. */
const READ_BYTES = 1024 * 1024;
/** Inflated bytes that Python hands over at once. */
const PULL_BYTES = 256 * 1024;

/**
 * Yields what a compressed file holds, to its end: only there stands its checksum.
 *
 * Throws `SourceUnreadable` where it is broken or cut short.
 */
export function inflatedBlocks(
  archive: Blob | Uint8Array,
  compression: Compression,
  context: SourceContext,
): AsyncGenerator<InflatedBlock> {
  return compression === "gzip"
    ? gunzipped(archive, context.builder.limits.maxCompressionRatio)
    : pythonInflated(archive, compression, context);
}

async function* gunzipped(
  archive: Blob | Uint8Array,
  maxCompressionRatio: number,
): AsyncGenerator<InflatedBlock> {
  const { readable, writable } = new DecompressionStream("gzip");
  const feed = new GzipFeed(archive, writable.getWriter(), maxCompressionRatio);
  const reader = readable.getReader();
  feed.start();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      feed.inflatedBytes += next.value.byteLength;
      yield { bytes: next.value, consumedBytes: feed.consumedBytes };
    }
  } catch (cause) {
    throw feed.fault ?? brokenGzip(cause);
  } finally {
    // Nobody waits for the end of what is given up, and a stream that failed says so once more.
    reader.cancel().catch(() => undefined);
    feed.stop();
  }
  if (feed.fault !== null) {
    throw feed.fault;
  }
}

/**
 * Hands compressed bytes to a browser's stream.
 *
 * That inflates ahead of what is read, and does not say what came of which bytes. So what inflates
 * to suspiciously much is handed over in tiny pieces, each once all that came of the one before was
 * read: else a bomb that is only a little over the ratio would hardly ever be seen to be, since the
 * latest piece counts as consumed before it is inflated.
 */
class GzipFeed {
  /** Compressed bytes that were handed over. */
  consumedBytes = 0;
  /** Inflated bytes that were read; the reader counts them. */
  inflatedBytes = 0;
  /** Why the compressed bytes cannot be had. */
  fault: TreeglassError | null = null;
  readonly #pieces: CompressedPieces;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #maxCompressionRatio: number;
  #pieceBytes = TINY_PIECE_BYTES;

  constructor(
    archive: Blob | Uint8Array,
    writer: WritableStreamDefaultWriter<BufferSource>,
    maxCompressionRatio: number,
  ) {
    this.#pieces = new CompressedPieces(archive);
    this.#writer = writer;
    this.#maxCompressionRatio = maxCompressionRatio;
  }

  start(): void {
    this.#run().catch((error: unknown) => {
      // What the stream itself objects to, its reader learns as well.
      this.fault = error instanceof TreeglassError ? error : null;
      this.stop();
    });
  }

  stop(): void {
    this.#writer.abort().catch(() => undefined);
  }

  /** One piece after the other: of a stream that takes all at once, Node's queues the whole file. */
  async #run(): Promise<void> {
    while (true) {
      if (this.#isSuspicious) {
        await this.#untilAllIsRead();
      }
      this.#pieceBytes = this.#isSuspicious
        ? TINY_PIECE_BYTES
        : Math.min(this.#pieceBytes * 2, PIECE_BYTES);
      const piece = await this.#pieces.next(this.#pieceBytes);
      if (piece === null) {
        await this.#writer.close();
        return;
      }
      this.consumedBytes += piece.byteLength;
      await this.#writer.write(piece);
    }
  }

  get #isSuspicious(): boolean {
    return (
      this.inflatedBytes > RATIO_EXEMPT_BYTES / 2 &&
      this.inflatedBytes > (this.consumedBytes * this.#maxCompressionRatio) / SUSPICIOUS_PART
    );
  }

  async #untilAllIsRead(): Promise<void> {
    let readBytes: number;
    do {
      readBytes = this.inflatedBytes;
      await new Promise((resolve) => setTimeout(resolve));
    } while (this.inflatedBytes > readBytes);
  }
}

async function* pythonInflated(
  archive: Blob | Uint8Array,
  format: "bzip2" | "xz",
  context: SourceContext,
): AsyncGenerator<InflatedBlock> {
  const decompressor = context.openDecompressor(format);
  let consumedBytes = 0;
  try {
    const pieces = new CompressedPieces(archive);
    for (
      let piece = await pieces.next(PIECE_BYTES);
      piece !== null;
      piece = await pieces.next(PIECE_BYTES)
    ) {
      decompressor.push(piece);
      consumedBytes += piece.byteLength;
      do {
        const bytes = decompressor.pull(PULL_BYTES);
        yield { bytes, consumedBytes };
      } while (!decompressor.needsInput);
    }
    if (!decompressor.isComplete) {
      throw broken(format, "ends too early; it was cut short");
    }
  } finally {
    decompressor.close();
  }
}

/** Hands a compressed file over piece by piece, and reads it in larger ones. */
class CompressedPieces {
  readonly #archive: Blob | Uint8Array;
  readonly #sizeBytes: number;
  #read: Uint8Array<ArrayBuffer> = new Uint8Array();
  #readStart = 0;
  #position = 0;

  constructor(archive: Blob | Uint8Array) {
    this.#archive = archive;
    this.#sizeBytes = archive instanceof Blob ? archive.size : archive.byteLength;
  }

  /** Returns a copy of the next bytes, which a stream may take away; null at the end. */
  async next(maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#position === this.#sizeBytes) {
      return null;
    }
    if (this.#position === this.#readStart + this.#read.byteLength) {
      const end = Math.min(this.#position + READ_BYTES, this.#sizeBytes);
      this.#read = await readRange(this.#archive, this.#position, end);
      this.#readStart = this.#position;
    }
    const start = this.#position - this.#readStart;
    const piece = this.#read.slice(start, start + maxBytes);
    this.#position += piece.byteLength;
    return piece;
  }
}

async function readRange(
  archive: Blob | Uint8Array,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!(archive instanceof Blob)) {
    return new Uint8Array(archive.subarray(start, end));
  }
  try {
    return new Uint8Array(await archive.slice(start, end).arrayBuffer());
  } catch (cause) {
    throw new TreeglassError(
      "SourceUnreadable",
      "The archive's file can no longer be read; it was changed or moved, so choose it again.",
      { cause },
    );
  }
}

function brokenGzip(cause: unknown): TreeglassError {
  return broken("gzip", "is broken, was cut short or has something behind its end", cause);
}

function broken(compression: Compression, what: string, cause?: unknown): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The ${compression} archive ${what}; make it again and retry.`,
    { cause },
  );
}
