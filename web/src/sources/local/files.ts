/** Files that a visitor chose or dropped as a tree; each is had from the page when it is wanted. */
import type { WireFile } from "../../protocol/messages.ts";
import type { BlobReader } from "../random-access.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "../source-context.ts";
import { clampModifiedMs, type DeferredFile, type FileEntry } from "../tree.ts";
import { type RequestFile, requestFilesOver } from "./file-requests.ts";

export interface FileList {
  readonly files: readonly WireFile[];
  readonly folder: string | null;
  readonly desk: MessagePort;
}

/**
 * Lists the files.
 *
 * Where they are one chosen folder, the mount point takes the folder's place: `app/src/a.py` of a
 * folder `app` mounted at `/repo` is `/repo/src/a.py`.
 */
export async function openFiles(
  { files, folder, desk }: FileList,
  context: SourceContext,
): Promise<void> {
  const { builder, host, takeBlob } = context;
  const requestFile = requestFilesOver(desk, takeBlob);
  if (folder !== null) {
    builder.reportRenamed(`${folder}/`, "", "the mount point takes the place of the chosen folder");
  }
  const prefix = folder === null ? "" : `${folder}/`;
  for (const [index, { path, isDirectory }] of files.entries()) {
    const inside = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    if (!isDirectory) {
      const file = fileOf(index, requestFile, host.readBlob, builder.limits.maxFileBytes);
      builder.addDeferredFile(inside, file);
    } else if (path !== folder) {
      builder.addDirectory(inside, 0);
    }
    if ((index + 1) % CHECKPOINT_ENTRIES === 0) {
      await context.checkpoint(index + 1, files.length);
    }
  }
}

/** A chosen file never becomes another one, so what was seen of it once is kept. */
function fileOf(
  index: number,
  requestFile: RequestFile,
  readBlob: BlobReader,
  maxFileBytes: number,
): DeferredFile {
  const deferred: DeferredFile = {
    kind: "deferred-file",
    seen: null,
    async look() {
      const { file, modifiedMs } = await requestFile(index);
      deferred.seen = entryOf(file, modifiedMs, readBlob, maxFileBytes);
      return deferred.seen;
    },
  };
  return deferred;
}

/** Returns a browser's file as an entry, of which no more is readable than the limit allows. */
export function entryOf(
  file: Blob,
  modifiedMs: number,
  readBlob: BlobReader,
  maxFileBytes: number,
): FileEntry {
  const { size } = file;
  const readRange = (start: number, end: number) => {
    if (size > maxFileBytes) {
      throw new Error(`it is ${size} bytes large, over maxFileBytes (${maxFileBytes})`);
    }
    return readBlob(file, start, end);
  };
  return {
    kind: "file",
    sizeBytes: size,
    modifiedMs: clampModifiedMs(modifiedMs),
    content: { kind: "ranges", readRange },
  };
}
