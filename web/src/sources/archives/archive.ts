/** An archive, recognised by its content; its name and media type do not count. */
import { TreeglassError } from "../../protocol/errors.ts";
import { blobAccess, bytesAccess, type RandomAccess } from "../random-access.ts";
import type { SourceContext } from "../source-context.ts";
import { openCompressedTar } from "./compressed-tar.ts";
import { openTar } from "./tar/tar.ts";
import { BLOCK_BYTES, looksLikeTar, parseHeader } from "./tar/tar-header.ts";
import { openZip } from "./zip/zip.ts";

const WHAT_TO_CHOOSE = "a zip archive or a tar archive, plain or compressed by gzip, bzip2 or xz";

/**
 * Lists an archive: zip, tar, or tar in gzip, bzip2 or xz.
 *
 * Throws `SourceUnreadable` if it has another form or is broken.
 */
export async function openArchive(
  archive: Blob | ArrayBuffer | Uint8Array,
  context: SourceContext,
): Promise<void> {
  const source = archive instanceof ArrayBuffer ? new Uint8Array(archive) : archive;
  const access =
    source instanceof Blob ? blobAccess(source, context.host.readBlob) : bytesAccess(source);
  if (access.sizeBytes === 0) {
    throw new TreeglassError("SourceUnreadable", "The archive is empty: it has 0 bytes.");
  }
  const start = access.read(0, Math.min(LOOK_BYTES, access.sizeBytes));
  const form = formOf(start);
  switch (form) {
    case "zip":
      return openZip(access, context);
    case "tar":
      return openTar(access, context);
    case null:
      return openHiddenZip(access, start, context);
    default:
      return openCompressedTar(access, form, context);
  }
}

/** Lists a zip archive that follows other bytes, such as a program that unpacks it. */
async function openHiddenZip(
  access: RandomAccess,
  start: Uint8Array,
  context: SourceContext,
): Promise<void> {
  try {
    await openZip(access, context);
  } catch (error) {
    if (!(error instanceof TreeglassError) || error.name !== "SourceUnreadable") {
      throw error;
    }
    const look = lookOf(start);
    throw new TreeglassError(
      "SourceUnreadable",
      look === null
        ? `The file is not an archive that can be read; choose ${WHAT_TO_CHOOSE}, or mount the file itself with files.`
        : `The file looks like ${look}; choose ${WHAT_TO_CHOOSE}.`,
      { cause: error },
    );
  }
}

export type ArchiveForm = "zip" | "tar" | "gzip" | "bzip2" | "xz";

/** The number of bytes from the start that the functions take. */
export const LOOK_BYTES = 1024;

const FORMS: readonly (readonly [ArchiveForm, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["zip", [0x50, 0x4b]],
];

const OTHERS: readonly (readonly [string, readonly number[]])[] = [
  ["a 7z archive", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["a RAR archive", [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ["a file compressed by zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["a file compressed by lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["a file compressed by lzip", [0x4c, 0x5a, 0x49, 0x50]],
  ["a file compressed by compress", [0x1f, 0x9d]],
  ["a cabinet archive", [0x4d, 0x53, 0x43, 0x46]],
  ["a Debian package or an ar archive", [0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e, 0x0a]],
  ["a PDF document", [0x25, 0x50, 0x44, 0x46]],
];
const HTML_START = /^\uFEFF?\s*<(?:!doctype\s+html|html|head|\?xml|!--)/i;

export function formOf(start: Uint8Array): ArchiveForm | null {
  // A tar archive starts with a file's name, which may equal another form's signature.
  if (start.byteLength >= BLOCK_BYTES && parseHeader(start.subarray(0, BLOCK_BYTES)) !== null) {
    return "tar";
  }
  const form = FORMS.find(([, signature]) => startsWith(start, signature))?.[0] ?? null;
  return form === null && looksLikeTar(start) ? "tar" : form;
}

/** Returns what another file looks like, such as "a PDF document"; null if it is unknown. */
export function lookOf(start: Uint8Array): string | null {
  const other = OTHERS.find(([, signature]) => startsWith(start, signature))?.[0];
  if (other !== undefined) {
    return other;
  }
  return HTML_START.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(start))
    ? "a page (HTML or XML), perhaps sent by a server instead of the file"
    : null;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
