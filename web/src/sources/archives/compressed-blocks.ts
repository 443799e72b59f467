/** The inflated bytes of a compressed file, block by block. */
import { TreeglassError } from "../../protocol/errors.ts";
import { RATIO_EXEMPT_BYTES } from "../limits.ts";
import type { SourceContext } from "../source-context.ts";

export type Compression = "gzip" | "bzip2" | "xz";

/** Inflated bytes, and the number of compressed bytes that were read so far. */
export interface InflatedBlock {
  readonly bytes: Uint8Array;
  readonly consumedBytes: number;
}

/**
 * Compressed bytes of one write.
 *
 * A browser inflates a whole write before it returns any of it. Deflate makes at most 1,032 bytes of
 * one, so that is about 16 MiB.
 */
const PIECE_BYTES = 16 * 1024;
/** The same for a suspected bomb: they inflate to at most 258 KiB. */
const TINY_PIECE_BYTES = 256;
/** A ratio above `maxCompressionRatio` divided by this is suspicious. */
const SUSPICIOUS_DIVISOR = 4;
/** Compressed bytes of one read. */
const READ_BYTES = 1024 * 1024;
/** Inflated bytes that Python returns at a time. */
const PULL_BYTES = 256 * 1024;

/**
 * Yields the inflated bytes up to the end, where the checksum is.
 *
 * Throws `SourceUnreadable` if the file is broken or cut short.
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
    // After a failure or an abort the stream rejects once more, which no caller awaits.
    reader.cancel().catch(() => undefined);
    feed.stop();
  }
  if (feed.fault !== null) {
    throw feed.fault;
  }
}

/**
 * Writes compressed bytes to a browser's stream, and notices bombs.
 *
 * The stream inflates ahead of the reader and does not tell which output belongs to which input. So
 * the feed writes suspicious content in tiny pieces, each after the output of the piece before was
 * read. In large pieces, a bomb slightly above the ratio would pass: a piece counts as consumed
 * before its output is counted.
 */
class GzipFeed {
  /** Compressed bytes that were written. */
  consumedBytes = 0;
  /** Inflated bytes that the reader has counted. */
  inflatedBytes = 0;
  /** Why the compressed bytes cannot be read. */
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
      // The reader receives an error of the stream itself, so only ours is kept.
      this.fault = error instanceof TreeglassError ? error : null;
      this.stop();
    });
  }

  stop(): void {
    this.#writer.abort().catch(() => undefined);
  }

  /** Awaits each write: without that, Node's stream queues the whole file. */
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
      this.inflatedBytes > (this.consumedBytes * this.#maxCompressionRatio) / SUSPICIOUS_DIVISOR
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

/** Returns a compressed file in small pieces, and reads it in larger ones. */
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

  /** Returns a copy of the next bytes, which a stream may transfer; null at the end. */
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
  return broken("gzip", "is broken, was cut short or has bytes after its end", cause);
}

function broken(compression: Compression, what: string, cause?: unknown): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The ${compression} archive ${what}; make it again and retry.`,
    { cause },
  );
}
