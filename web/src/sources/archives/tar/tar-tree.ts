/** Adds the entries of a tar archive to a tree. */

import type { FileContent } from "../../tree.ts";
import type { TreeBuilder } from "../../tree-builder.ts";
import type { TarEntry } from "./tar-entries.ts";

/** Adds an entry or reports why not; returns whether the tree needs its content. */
export function addTarEntry(entry: TarEntry, content: FileContent, builder: TreeBuilder): boolean {
  const { kind, path, target, modifiedMs } = entry;
  if (kind !== "unreadable") {
    for (const conversion of entry.conversions) {
      builder.reportConverted(path, conversion);
    }
  }
  switch (kind) {
    case "file":
      return builder.addFile(path, entry.contentBytes, modifiedMs, content);
    case "directory":
      builder.addDirectory(path, modifiedMs);
      return false;
    case "symlink":
      builder.addSymlink(path, target, modifiedMs, true);
      return false;
    case "hard-link":
      addHardLink(entry, builder);
      return false;
    case "unreadable":
      builder.skip(path, entry.fault);
      return false;
  }
}

/** Adds a hard link as another file with the same content. */
function addHardLink({ path, target, modifiedMs }: TarEntry, builder: TreeBuilder): void {
  const found = builder.findFile(target);
  if (found === null) {
    builder.skip(path, "is a hard link to no file that stands before it in the archive");
    return;
  }
  const { sizeBytes, content } = found.file;
  if (builder.addFile(path, sizeBytes, modifiedMs, content)) {
    builder.reportConverted(path, `a hard link; has the content of '${found.path}'`);
  }
}
