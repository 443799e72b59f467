/** An archive by its content; its name and media type say nothing. */
import { TreeglassError } from "../protocol/errors.ts";
import { blobAccess, bytesAccess, type RandomAccess } from "./random-access.ts";
import type { SourceContext } from "./source-context.ts";
import { openZip } from "./zip.ts";

/** Lists an archive; throws `SourceUnreadable` where it is none that can be read. */
export async function openArchive(
  archive: Blob | ArrayBuffer | Uint8Array,
  context: SourceContext,
): Promise<void> {
  const access = accessOf(archive, context);
  const start = access.read(0, Math.min(4, access.sizeBytes));
  if (access.sizeBytes === 0) {
    throw new TreeglassError("SourceUnreadable", "The archive is empty: it has 0 bytes.");
  }
  if (start[0] === 0x1f && start[1] === 0x8b) {
    throw new TreeglassError(
      "SourceUnreadable",
      "The archive is compressed by gzip; only zip archives can be read, so pack the tree as zip.",
    );
  }
  const isZip = start[0] === 0x50 && start[1] === 0x4b;
  try {
    await openZip(access, context);
  } catch (error) {
    if (isZip || !(error instanceof TreeglassError) || error.kind !== "SourceUnreadable") {
      throw error;
    }
    // Without the two letters at its start it may still be a zip behind a program, but it was none.
    throw new TreeglassError(
      "SourceUnreadable",
      "The file is not a zip archive; choose a zip archive, or mount the file itself with files.",
      { cause: error },
    );
  }
}

function accessOf(archive: Blob | ArrayBuffer | Uint8Array, context: SourceContext): RandomAccess {
  if (archive instanceof Blob) {
    return blobAccess(archive, context.readBlob);
  }
  return bytesAccess(archive instanceof Uint8Array ? archive : new Uint8Array(archive));
}
