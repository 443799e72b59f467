/** A compressed tar archive as a tree: inflated once, with the files' content kept in memory. */
import { joined } from "../../lib/bytes.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { MountLimits } from "../../protocol/mount-report.ts";
import { type RandomAccess, WindowReader } from "../random-access.ts";
import {
  type DecompressorFormat,
  RATIO_EXEMPT_BYTES,
  type SourceContext,
} from "../source-context.ts";
import { BLOCK_BYTES, looksLikeTar } from "./tar/tar-header.ts";
import { TarStream } from "./tar/tar-stream.ts";

/** Bytes for each entry besides the files' content: headers, names, padding. */
const OVERHEAD_BYTES_PER_ENTRY = 4096;
/** Compressed bytes that are inflated at a time; deflate makes at most 1,032 bytes of one. */
const PIECE_BYTES = 16 * 1024;
const PULL_BYTES = 256 * 1024;
/** Two blocks, which tell an empty archive from a file of zeros. */
const START_BYTES = 2 * BLOCK_BYTES;

/**
 * Lists an archive.
 *
 * Throws `SourceUnreadable` if it is broken or holds no tar archive, `LimitExceeded` as soon as it
 * inflates to more than the mount's limits allow.
 */
export async function openCompressedTar(
  archive: RandomAccess,
  compression: DecompressorFormat,
  context: SourceContext,
): Promise<void> {
  const { builder, host, report, signal } = context;
  const tar = new TarStream(builder, host);
  const total = archive.sizeBytes;
  let start: Uint8Array | null = new Uint8Array();
  let inflatedBytes = 0;
  report({ phase: "unpack", loaded: 0, total });
  signal.throwIfAborted();
  for (const { bytes, consumedBytes } of inflatedBlocks(archive, compression, context)) {
    inflatedBytes += bytes.byteLength;
    requireWithinLimits(inflatedBytes, consumedBytes, builder.limits);
    if (start === null) {
      tar.push(bytes);
    } else {
      start = joined([start, bytes]);
      if (start.byteLength >= START_BYTES) {
        tar.push(requireTar(start, compression));
        start = null;
      }
    }
    await context.checkpoint(consumedBytes, total, "unpack");
  }
  if (start !== null) {
    tar.push(requireTar(start, compression));
  }
  tar.finish();
  report({ phase: "unpack", loaded: total, total });
}

function requireWithinLimits(
  inflatedBytes: number,
  consumedBytes: number,
  { maxCompressionRatio, maxTotalBytes, maxEntries }: MountLimits,
): void {
  if (inflatedBytes > RATIO_EXEMPT_BYTES && inflatedBytes > consumedBytes * maxCompressionRatio) {
    throw new TreeglassError(
      "LimitExceeded",
      `The archive inflates to more than ${maxCompressionRatio} times its compressed size (maxCompressionRatio); if you trust it, raise limits.maxCompressionRatio`,
    );
  }
  if (inflatedBytes > maxTotalBytes + maxEntries * OVERHEAD_BYTES_PER_ENTRY) {
    throw new TreeglassError(
      "LimitExceeded",
      `The archive inflates to more than ${maxTotalBytes} bytes (maxTotalBytes) and ${OVERHEAD_BYTES_PER_ENTRY} for each of ${maxEntries} entries (maxEntries); mount a smaller archive, or raise limits.maxTotalBytes`,
    );
  }
}

function requireTar(start: Uint8Array, compression: DecompressorFormat): Uint8Array {
  if (!looksLikeTar(start)) {
    throw new TreeglassError(
      "SourceUnreadable",
      `The file is compressed by ${compression} and holds no tar archive, or a broken one; unpack it and mount its files with { files }.`,
    );
  }
  return start;
}

/**
 * Yields the inflated bytes up to the end, where the checksum is, with the number of compressed
 * bytes that were read so far.
 *
 * Throws `SourceUnreadable` if the file is broken or cut short.
 */
function* inflatedBlocks(
  archive: RandomAccess,
  format: DecompressorFormat,
  context: SourceContext,
): Generator<{ readonly bytes: Uint8Array; readonly consumedBytes: number }> {
  const decompressor = context.openDecompressor(format);
  const windows = new WindowReader(archive);
  let consumedBytes = 0;
  try {
    while (consumedBytes < archive.sizeBytes) {
      const piece = windows.read(consumedBytes, PIECE_BYTES);
      decompressor.push(piece);
      consumedBytes += piece.byteLength;
      do {
        const bytes = decompressor.pull(PULL_BYTES);
        yield { bytes, consumedBytes };
      } while (!decompressor.needsInput);
    }
    if (!decompressor.isComplete) {
      throw new TreeglassError(
        "SourceUnreadable",
        `The ${format} archive ends too early; it was cut short; make it again and retry.`,
      );
    }
  } finally {
    decompressor.close();
  }
}
