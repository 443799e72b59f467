/** The inflated bytes of a compressed file, block by block, whoever inflates them. */
import { TreeglassError } from "../protocol/errors.ts";
import type { SourceContext } from "./source-context.ts";

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
const FEED_BYTES = 16 * 1024;
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
    ? gunzipped(archive)
    : pythonInflated(archive, compression, context);
}

async function* gunzipped(archive: Blob | Uint8Array): AsyncGenerator<InflatedBlock> {
  let consumedBytes = 0;
  const pieces = compressedPieces(archive);
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done) {
          controller.close();
        } else {
          consumedBytes += piece.value.byteLength;
          controller.enqueue(piece.value);
        }
      },
    },
    // Nothing is read before it is asked for, so that the count is that of what came out.
    { highWaterMark: 0 },
  );
  const reader = compressed.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield { bytes: next.value, consumedBytes };
    }
  } catch (cause) {
    throw cause instanceof TreeglassError ? cause : brokenGzip(cause);
  } finally {
    // Nobody waits for the end of what is given up, and a stream that failed says so once more.
    reader.cancel().catch(() => undefined);
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
    for await (const piece of compressedPieces(archive)) {
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

async function* compressedPieces(
  archive: Blob | Uint8Array,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const sizeBytes = archive instanceof Blob ? archive.size : archive.byteLength;
  for (let start = 0; start < sizeBytes; start += READ_BYTES) {
    const read = await readPiece(archive, start, Math.min(start + READ_BYTES, sizeBytes));
    for (let at = 0; at < read.byteLength; at += FEED_BYTES) {
      // A copy, since a stream may take away the memory of what it is given.
      yield read.slice(at, at + FEED_BYTES);
    }
  }
}

async function readPiece(
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
