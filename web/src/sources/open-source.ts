import { TreeglassError } from "../protocol/errors.ts";
import type { MountParams, WireSource } from "../protocol/messages.ts";
import type { MountLimits } from "../protocol/mount-report.ts";
import { openArchive } from "./archives/archive.ts";
import { openEntries } from "./entries.ts";
import { completeLimits } from "./limits.ts";
import { openFiles } from "./local/files.ts";
import { openHandle } from "./local/handle.ts";
import { openManifest } from "./remote/manifest.ts";
import { openPackage } from "./remote/package.ts";
import { prefetchFiles } from "./remote/remote-files.ts";
import { type Downloaded, download } from "./remote/url.ts";
import type {
  HostDirectoryOpener,
  MountContext,
  SourceContext,
  SourceHost,
} from "./source-context.ts";
import { type Tree, TreeBuilder } from "./tree-builder.ts";

/** A source whose entries are all known at mount, and can be listed. */
type ListedSource =
  | Exclude<WireSource, { kind: "archive" | "directory" | "host-directory" | "url" }>
  | ArchiveAtHand
  | Downloaded;

/** An archive whose bytes are here, or can be read when they are wanted. */
interface ArchiveAtHand {
  readonly kind: "archive";
  readonly archive: Blob | ArrayBuffer | Uint8Array;
}

/**
 * Returns a source's tree, with all of its index and none of its content.
 *
 * Another kind of source is one more module here and one more case of `WireSource`.
 *
 * Throws a `TreeglassError` where the source is unreadable or the tree is over a limit.
 */
export async function openSource(
  { path, source, limits, skip }: MountParams,
  context: MountContext,
): Promise<Tree> {
  const allLimits = completeLimits(limits);
  if (source.kind === "directory") {
    return openHandle(source.directory, allLimits, skip, context.host.readBlob);
  }
  if (source.kind === "host-directory") {
    return requireDirectories(context.host)(source.path, allLimits, skip);
  }
  const listed = await bringHere(source, allLimits, context);
  const builder = new TreeBuilder(path, allLimits, skip, listed.kind === "archive");
  await list(listed, { ...context, builder });
  const tree = builder.finish();
  if ("prefetch" in source && source.prefetch && tree.root.kind === "directory") {
    await prefetchFiles(tree.root, context);
  }
  return tree;
}

function requireDirectories({ openDirectory }: SourceHost): HostDirectoryOpener {
  if (openDirectory === undefined) {
    throw new TreeglassError("SourceUnknown", "This worker cannot read folders of its machine.");
  }
  return openDirectory;
}

async function bringHere(
  source: Exclude<WireSource, { kind: "directory" | "host-directory" }>,
  limits: MountLimits,
  context: MountContext,
): Promise<ListedSource> {
  if (source.kind === "url") {
    return download(source.url, source.integrity, limits, context);
  }
  if (source.kind === "archive") {
    const { archive } = source;
    const isHandle = typeof archive === "number";
    return { kind: "archive", archive: isHandle ? await context.takeBlob(archive) : archive };
  }
  return source;
}

function list(source: ListedSource, context: SourceContext): Promise<void> {
  if ("origin" in source) {
    context.builder.reportOrigin(source.origin);
  }
  switch (source.kind) {
    case "entries":
      return openEntries(source.entries, context);
    case "archive":
      return openArchive(source.archive, context);
    case "files":
      return openFiles(source, context);
    case "manifest":
      return openManifest(source.bytes, source.address, context);
    case "package":
      return openPackage(source, context);
  }
}
