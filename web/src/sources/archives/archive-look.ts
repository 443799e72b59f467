/** Recognises a file by its first bytes; its name and media type do not count. */
import { BLOCK_BYTES, looksLikeTar, parseHeader } from "./tar/tar-header.ts";

/** An archive that can be read. */
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

/** Returns the form of an archive; null for any other file. */
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
