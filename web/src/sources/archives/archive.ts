/** An archive, recognised by its content; its name and media type do not count. */
import { TreeglassError } from "../../protocol/errors.ts";
import { blobAccess, bytesAccess, type RandomAccess } from "../random-access.ts";
import type { SourceContext } from "../source-context.ts";
import { formOf, LOOK_BYTES, lookOf } from "./archive-look.ts";
import { openCompressedTar } from "./compressed-tar.ts";
import { openTar } from "./tar/tar.ts";
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
  const access = accessOf(source, context);
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
      return openCompressedTar(source, form, context);
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

function accessOf(archive: Blob | Uint8Array, context: SourceContext): RandomAccess {
  return archive instanceof Blob
    ? blobAccess(archive, context.host.readBlob)
    : bytesAccess(archive);
}
