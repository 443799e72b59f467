/** A tar archive as a tree: the headers are the index, the content stays in the archive. */
import { placeIn, type RandomAccess, WindowReader } from "../../random-access.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "../../source-context.ts";
import type { FileContent } from "../../tree.ts";
import type { TreeBuilder } from "../../tree-builder.ts";
import { cutShort, type TarEntry, type TarStep, tarSteps } from "./tar-entries.ts";

const NO_BYTES = new Uint8Array();

/** Lists an archive; throws `SourceUnreadable` if a header is broken or the end is missing. */
export async function openTar(archive: RandomAccess, context: SourceContext): Promise<void> {
  const windows = new WindowReader(archive);
  const steps = tarSteps();
  let position = 0;
  let loaded = 0;
  let step: IteratorResult<TarStep, void> = steps.next();
  while (!step.done) {
    if (step.value.kind === "take") {
      const bytes = windows.read(position, step.value.byteCount);
      position += bytes.byteLength;
      step = steps.next(bytes);
      continue;
    }
    const { entry, paddingBytes } = step.value;
    position += entry.contentBytes + paddingBytes;
    if (entry.contentStart + entry.contentBytes > archive.sizeBytes) {
      throw cutShort();
    }
    addTarEntry(entry, contentOf(archive, entry), context.builder);
    loaded += 1;
    if (loaded % CHECKPOINT_ENTRIES === 0) {
      await context.checkpoint(loaded);
    }
    step = steps.next(NO_BYTES);
  }
}

function contentOf(archive: RandomAccess, { contentStart, contentBytes }: TarEntry): FileContent {
  return {
    kind: "ranges",
    readRange: (start, end) => archive.read(contentStart + start, contentStart + end),
    ...placeIn(archive, contentStart, contentStart + contentBytes),
  };
}

/** Adds an entry or reports why not; returns whether the tree needs its content. */
export function addTarEntry(entry: TarEntry, content: FileContent, builder: TreeBuilder): boolean {
  const { kind, path, target, modifiedMs } = entry;
  if (kind !== "unreadable") {
    for (const conversion of entry.conversions) {
      builder.report.convert(path, conversion);
    }
  }
  switch (kind) {
    case "file":
      return builder.addFile(path, entry.contentBytes, modifiedMs, content, entry.unixMode);
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

function addHardLink({ path, target, modifiedMs }: TarEntry, builder: TreeBuilder): void {
  const found = builder.findFile(target);
  if (found === null) {
    builder.skip(path, "is a hard link to no file that stands before it in the archive");
    return;
  }
  const { sizeBytes, content, permissions } = found.file;
  if (builder.addFile(path, sizeBytes, modifiedMs, content, permissions)) {
    builder.report.convert(path, `a hard link; has the content of '${found.path}'`);
  }
}
