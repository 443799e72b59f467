import type { MountParams, WireSource } from "../protocol/messages.ts";
import { openArchive } from "./archive.ts";
import { openEntries } from "./entries.ts";
import { openFiles } from "./files.ts";
import { completeLimits } from "./limits.ts";
import type { BlobReader } from "./random-access.ts";
import type { Checkpoint, SourceContext } from "./source-context.ts";
import { type Tree, TreeBuilder } from "./tree-builder.ts";

/**
 * Returns a source's tree, with all of its index and none of its content.
 *
 * Another kind of source is one more module here and one more case of `WireSource`.
 *
 * Throws a `TreeglassError` where the source is unreadable or the tree is over a limit.
 */
export async function openSource(
  params: MountParams,
  readBlob: BlobReader,
  checkpoint: Checkpoint,
): Promise<Tree> {
  const builder = new TreeBuilder(
    params.path,
    completeLimits(params.limits),
    params.skip,
    params.source.kind === "archive",
  );
  await list(params.source, { builder, readBlob, checkpoint });
  return builder.finish();
}

function list(source: WireSource, context: SourceContext): Promise<void> {
  switch (source.kind) {
    case "entries":
      return openEntries(source.entries, context);
    case "archive":
      return openArchive(source.archive, context);
    case "files":
      return openFiles(source.files, source.folder, context);
  }
}
