/** Files that a visitor chose or dropped as a tree; each is read where it lies. */
import type { WireFile } from "../protocol/messages.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "./source-context.ts";

/**
 * Lists the files.
 *
 * Where they are one chosen folder, the mount point takes the folder's place: `app/src/a.py` of a
 * folder `app` mounted at `/repo` is `/repo/src/a.py`.
 */
export async function openFiles(
  files: readonly WireFile[],
  folder: string | null,
  context: SourceContext,
): Promise<void> {
  const { builder, readBlob } = context;
  if (folder !== null) {
    builder.reportRenamed(`${folder}/`, "", "the mount point takes the place of the chosen folder");
  }
  const prefix = folder === null ? "" : `${folder}/`;
  let loaded = 0;
  for (const { path, file, modifiedMs } of files) {
    const inside = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    if (file !== null) {
      const readRange = (start: number, end: number) => readBlob(file, start, end);
      builder.addFile(inside, file.size, modifiedMs, { kind: "ranges", readRange });
    } else if (path !== folder) {
      builder.addDirectory(inside, modifiedMs);
    }
    loaded += 1;
    if (loaded % CHECKPOINT_ENTRIES === 0) {
      await context.checkpoint(loaded, files.length);
    }
  }
}
