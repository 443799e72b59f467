/** Archives by their first bytes: what a file is called says nothing. */

/** What zip, gzip, bzip2 and xz begin with, a character for each byte. */
const ARCHIVE_STARTS = ["PK\u0003\u0004", "PK\u0005\u0006", "\u001f\u008b", "BZh", "\u00fd7zXZ\0"];

/** A tar begins with a header of this size, which holds its own checksum. */
const TAR_HEADER_BYTES = 512;
const TAR_CHECKSUM = { start: 148, end: 156 } as const;
const BLANK = 0x20;

/**
 * Tells whether a file begins as an archive does.
 *
 * Rejects where it cannot be read.
 */
export async function startsLikeArchive(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, TAR_HEADER_BYTES).arrayBuffer());
  const text = Array.from(start, (byte) => String.fromCharCode(byte)).join("");
  return ARCHIVE_STARTS.some((known) => text.startsWith(known)) || isTarHeader(start, text);
}

/** By the checksum, since the oldest kind of tar has no other mark. */
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
