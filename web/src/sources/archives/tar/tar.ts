/** A tar archive as a tree: the headers are the index, the content stays in the archive. */
import { placeIn, type RandomAccess, WindowReader } from "../../random-access.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "../../source-context.ts";
import type { FileContent } from "../../tree.ts";
import { cutShort, type TarEntry, type TarStep, tarSteps } from "./tar-entries.ts";
import { addTarEntry } from "./tar-tree.ts";

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
