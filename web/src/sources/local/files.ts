/** Files that a visitor chose or dropped, as a tree; the page sends each when a call reads it. */
import type { SourceOf } from "../../protocol/source-kinds.ts";
import type { Place } from "../random-access.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "../source-context.ts";
import { clampModifiedMs, type DeferredFile, type FileEntry } from "../tree.ts";
import { type RequestFile, requestFilesOver } from "./file-requests.ts";

/**
 * Lists the files.
 *
 * If they are one chosen folder, the mount point replaces the folder: `app/src/a.py` of a folder
 * `app` mounted at `/repo` is `/repo/src/a.py`.
 */
export async function openFiles(
  { files, folder, server }: SourceOf<"files">,
  context: SourceContext,
): Promise<void> {
  const { builder, host, openFiles } = context;
  const requestFile = requestFilesOver(openFiles, server, host);
  if (folder !== null) {
    builder.report.rename(`${folder}/`, "", "the mount point takes the place of the chosen folder");
  }
  const prefix = folder === null ? "" : `${folder}/`;
  for (const [index, { path, isDirectory }] of files.entries()) {
    const inside = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    if (!isDirectory) {
      const file = fileOf(index, requestFile, builder.limits.maxFileBytes);
      builder.addDeferredFile(inside, file);
    } else if (path !== folder) {
      builder.addDirectory(inside, 0);
    }
    if ((index + 1) % CHECKPOINT_ENTRIES === 0) {
      await context.checkpoint(index + 1, files.length);
    }
  }
}

/** A chosen file never changes, so its entry is kept after the first inspection. */
function fileOf(index: number, requestFile: RequestFile, maxFileBytes: number): DeferredFile {
  const deferred: DeferredFile = {
    kind: "deferred-file",
    seen: null,
    isBatched: true,
    async inspect() {
      const { place, modifiedMs } = await requestFile(index);
      deferred.seen = entryOf(place, modifiedMs, maxFileBytes);
      return deferred.seen;
    },
  };
  return deferred;
}

/** Returns a browser's file as an entry; reading throws if the file exceeds the limit. */
export function entryOf(place: Place, modifiedMs: number, maxFileBytes: number): FileEntry {
  const { access, span } = place;
  const size = span.end - span.start;
  const readRange = (start: number, end: number) => {
    if (size > maxFileBytes) {
      throw new Error(`it is ${size} bytes large, over maxFileBytes (${maxFileBytes})`);
    }
    return access.read(span.start + start, span.start + end);
  };
  return {
    kind: "file",
    sizeBytes: size,
    modifiedMs: clampModifiedMs(modifiedMs),
    content: { kind: "ranges", readRange, place },
  };
}
