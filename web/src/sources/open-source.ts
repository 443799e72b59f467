import { TreeglassError } from "../protocol/errors.ts";
import type { MountParams, WireSource } from "../protocol/messages.ts";
import { openArchive } from "./archive.ts";
import { openEntries } from "./entries.ts";
import { openFiles } from "./files.ts";
import { openHandle } from "./handle.ts";
import { completeLimits } from "./limits.ts";
import type { SourceContext, SourceSurroundings } from "./source-context.ts";
import { type Tree, TreeBuilder } from "./tree-builder.ts";

/** A source whose entries are all known at mount. */
type ListedSource = Exclude<WireSource, { kind: "directory" }>;

/**
 * Returns a source's tree, with all of its index and none of its content.
 *
 * Another kind of source is one more module here and one more case of `WireSource`.
 *
 * Throws a `TreeglassError` where the source is unreadable or the tree is over a limit.
 */
export async function openSource(
  { path, source, limits, skip }: MountParams,
  surroundings: SourceSurroundings,
): Promise<Tree> {
  const allLimits = completeLimits(limits);
  if (source.kind === "directory") {
    return openHandle(source.directory, allLimits, skip, surroundings.readBlob);
  }
  const builder = new TreeBuilder(path, allLimits, skip, source.kind === "archive");
  await list(source, { ...surroundings, builder });
  return builder.finish();
}

function list(source: ListedSource, context: SourceContext): Promise<void> {
  switch (source.kind) {
    case "entries":
      return openEntries(source.entries, context);
    case "archive":
      return openArchive(source.archive, context);
    case "files":
      return openFiles(source.files, source.folder, context);
    case "url":
    case "package":
      throw new TreeglassError("SourceUnknown", "Sources elsewhere cannot be mounted.");
  }
}
