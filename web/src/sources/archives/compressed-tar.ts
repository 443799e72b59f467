/** A compressed tar archive as a tree: inflated once, with the files' content kept in memory. */
import { joined } from "../../lib/bytes.ts";
import { GrowingBuffer } from "../../lib/growing-buffer.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { MountLimits } from "../../protocol/mount-report.ts";
import { blobAccess, bytesAccess, type RandomAccess, WindowReader } from "../random-access.ts";
import {
  type DecompressorFormat,
  RATIO_EXEMPT_BYTES,
  type SourceContext,
} from "../source-context.ts";
import type { FileContent } from "../tree.ts";
import { addTarEntry } from "./tar/tar.ts";
import { cutShort, tarSteps } from "./tar/tar-entries.ts";
import { BLOCK_BYTES, looksLikeTar } from "./tar/tar-header.ts";

/** Bytes for each entry besides the files' content: headers, names, padding. */
const OVERHEAD_BYTES_PER_ENTRY = 4096;
/** Compressed bytes that are inflated at a time; deflate makes at most 1,032 bytes of one. */
const PIECE_BYTES = 16 * 1024;
const PULL_BYTES = 256 * 1024;
/** Two blocks, which tell an empty archive from a file of zeros. */
const START_BYTES = 2 * BLOCK_BYTES;
const NO_BYTES = new Uint8Array();

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
  const { builder, report, signal } = context;
  const tar = new TarStream(compression, context);
  const total = archive.sizeBytes;
  let inflatedBytes = 0;
  report({ phase: "unpack", loaded: 0, total });
  signal.throwIfAborted();
  for (const { bytes, consumedBytes } of inflatedBlocks(archive, compression, context)) {
    inflatedBytes += bytes.byteLength;
    requireWithinLimits(inflatedBytes, consumedBytes, builder.limits);
    tar.push(bytes);
    await context.checkpoint(consumedBytes, total, "unpack");
  }
  tar.finish();
  report({ phase: "unpack", loaded: total, total });
}

/**
 * Takes an archive block by block, and keeps only the content of the tree's files.
 *
 * The methods throw `SourceUnreadable` if it is broken, `LimitExceeded` once the tree is too large.
 */
class TarStream {
  readonly #compression: DecompressorFormat;
  readonly #context: SourceContext;
  readonly #buffer: GrowingBuffer;
  /** Pauses where it needs the next block. */
  readonly #listing = this.#list();
  /** The rest of the last block. */
  #block: Uint8Array = NO_BYTES;
  #isAtEnd = false;
  #kept: RandomAccess = bytesAccess(NO_BYTES);

  constructor(compression: DecompressorFormat, context: SourceContext) {
    this.#compression = compression;
    this.#context = context;
    this.#buffer = new GrowingBuffer(context.host.maxBufferedBytes);
  }

  /** Takes the next bytes; what comes after the end mark is ignored. */
  push(block: Uint8Array): void {
    this.#block = block;
    this.#listing.next();
  }

  /** Ends the archive: from now on its files can be read. */
  finish(): void {
    this.#isAtEnd = true;
    this.#listing.next();
    const kept = this.#buffer.finish();
    const { readBlob } = this.#context.host;
    this.#kept = kept instanceof Blob ? blobAccess(kept, readBlob) : bytesAccess(kept);
  }

  *#list(): Generator<void, void, void> {
    const start = yield* this.#take(START_BYTES);
    requireTar(start, this.#compression);
    this.#block = joined([start, this.#block]);
    const steps = tarSteps();
    let step = steps.next();
    while (!step.done) {
      if (step.value.kind === "take") {
        step = steps.next(yield* this.#take(step.value.byteCount));
        continue;
      }
      const { entry, paddingBytes } = step.value;
      const content = this.#contentFrom(this.#buffer.sizeBytes);
      const isWanted = addTarEntry(entry, content, this.#context.builder);
      if ((yield* this.#pass(entry.contentBytes, isWanted)) > 0) {
        throw cutShort();
      }
      yield* this.#pass(paddingBytes, false);
      step = steps.next(NO_BYTES);
    }
  }

  /** Returns the next bytes, or fewer at the end. */
  *#take(byteCount: number): Generator<void, Uint8Array, void> {
    let taken = yield* this.#takeSome(byteCount);
    for (let more = taken; taken.byteLength < byteCount && more.byteLength > 0; ) {
      more = yield* this.#takeSome(byteCount - taken.byteLength);
      taken = joined([taken, more]);
    }
    return taken;
  }

  /** Keeps or skips the next bytes; returns how many of them are missing at the end. */
  *#pass(byteCount: number, isKept: boolean): Generator<void, number, void> {
    let left = byteCount;
    while (left > 0) {
      const piece = yield* this.#takeSome(left);
      if (piece.byteLength === 0) {
        break;
      }
      if (isKept) {
        this.#buffer.write(piece);
      }
      left -= piece.byteLength;
    }
    return left;
  }

  /** Returns some of the next bytes; none only at the end. */
  *#takeSome(maxBytes: number): Generator<void, Uint8Array, void> {
    while (this.#block.byteLength === 0 && !this.#isAtEnd) {
      yield;
    }
    const taken = this.#block.subarray(0, maxBytes);
    this.#block = this.#block.subarray(maxBytes);
    return taken;
  }

  #contentFrom(bufferStart: number): FileContent {
    return {
      kind: "ranges",
      readRange: (start, end) => this.#kept.read(bufferStart + start, bufferStart + end),
    };
  }
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

function requireTar(start: Uint8Array, compression: DecompressorFormat): void {
  if (!looksLikeTar(start)) {
    throw new TreeglassError(
      "SourceUnreadable",
      `The file is compressed by ${compression} and holds no tar archive, or a broken one; unpack it and mount its files with { files }.`,
    );
  }
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
