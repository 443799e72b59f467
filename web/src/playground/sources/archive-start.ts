/** Recognizes archives by their first bytes, since a file's name proves nothing. */

/** The first bytes of zip, empty zip, gzip, bzip2 and xz files, one character per byte. */
const ARCHIVE_STARTS = ["PK\u0003\u0004", "PK\u0005\u0006", "\u001f\u008b", "BZh", "\u00fd7zXZ\0"];

/** A tar begins with a header of this size, which holds its own checksum. */
const TAR_HEADER_BYTES = 512;
const TAR_CHECKSUM = { start: 148, end: 156 } as const;
const BLANK = 0x20;

/**
 * Resolves with whether a file begins like an archive.
 *
 * Rejects if the file cannot be read.
 */
export async function startsLikeArchive(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, TAR_HEADER_BYTES).arrayBuffer());
  const text = Array.from(start, (byte) => String.fromCharCode(byte)).join("");
  return ARCHIVE_STARTS.some((known) => text.startsWith(known)) || isTarHeader(start, text);
}

/** Checks the header's checksum, since the oldest tar format has no other mark. */
function isTarHeader(start: Uint8Array, text: string): boolean {
  if (start.length < TAR_HEADER_BYTES) {
    return false;
  }
  const written = /^[ 0]*([0-7]{1,6})[ \0]/.exec(text.slice(TAR_CHECKSUM.start, TAR_CHECKSUM.end));
  const sum = start.reduce((total, byte, index) => {
    const isChecksum = index >= TAR_CHECKSUM.start && index < TAR_CHECKSUM.end;
    return total + (isChecksum ? BLANK : byte);
  }, 0);
  return Number.parseInt(written?.[1] ?? "", 8) === sum;
}
