/** Opens a source of any kind: one row for each. */
import { TreeglassError } from "../protocol/errors.ts";
import type { MountParams } from "../protocol/methods.ts";
import { DEFAULT_LIMITS, type MountLimits } from "../protocol/mount-report.ts";
import { malformed } from "../protocol/refusals.ts";
import type { SourceKind, SourceOf } from "../protocol/source-kinds.ts";
import { openArchive } from "./archives/archive.ts";
import { openEntries } from "./entries.ts";
import { openFiles } from "./local/files.ts";
import { openHandle } from "./local/handle.ts";
import { openManifest } from "./remote/manifest.ts";
import { openPackage } from "./remote/package.ts";
import { prefetchFiles } from "./remote/remote-files.ts";
import { download } from "./remote/url.ts";
import type { MountContext, SourceContext } from "./source-context.ts";
import type { Tree } from "./tree.ts";
import { TreeBuilder } from "./tree-builder.ts";

/** The interpreter cuts longer names in listings, so this limit can only be lowered. */
const MAX_NAME_BYTES_CEILING = 255;

interface Mount {
  readonly path: string;
  readonly limits: MountLimits;
  readonly skip: readonly string[];
  readonly context: MountContext;
}

type Openers = {
  readonly [K in SourceKind]: (source: SourceOf<K>, mount: Mount) => Tree | Promise<Tree>;
};

const OPENERS: Openers = {
  entries: ({ entries }, mount) => listed(mount, (context) => openEntries(entries, context)),
  archive: async ({ archive }, mount) => {
    requireGenuine([Blob, ArrayBuffer, Uint8Array].some((type) => archive instanceof type));
    if (archive instanceof Blob) {
      await mount.context.host.prepareBlob?.(archive);
    }
    return listedArchive(mount, (context) => openArchive(archive, context));
  },
  files: (source, mount) => listed(mount, (context) => openFiles(source, context)),
  directory: ({ directory }, { limits, skip, context }) => {
    // Some runtimes have no directory handles.
    const { FileSystemDirectoryHandle: Handle } = globalThis;
    requireGenuine(typeof Handle === "function" && directory instanceof Handle);
    return openHandle(directory, limits, skip, context.host);
  },
  "host-directory": ({ path }, { limits, skip, context: { host } }) => {
    if (host.openDirectory === undefined) {
      throw new TreeglassError("SourceUnknown", "This worker cannot read folders of its machine.");
    }
    return host.openDirectory(path, limits, skip);
  },
  url: async ({ url, integrity, prefetch }, mount) => {
    const found = await download(url, integrity, mount.limits, mount.context);
    const list = (context: SourceContext) => {
      context.builder.report.origin = found.origin;
      return found.kind === "archive"
        ? openArchive(found.archive, context)
        : openManifest(found.bytes, found.address, context);
    };
    const tree = await (found.kind === "archive" ? listedArchive : listed)(mount, list);
    return prefetch ? prefetched(tree, mount) : tree;
  },
  package: async (source, mount) => {
    const tree = await listed(mount, (context) => openPackage(source, context));
    return source.prefetch ? prefetched(tree, mount) : tree;
  },
};

/**
 * Returns a source's tree, with all of its index and none of its content.
 *
 * Throws a `TreeglassError` if the source is unreadable or the tree exceeds a limit.
 */
export async function openSource(
  { path, source, limits, skip }: MountParams,
  context: MountContext,
): Promise<Tree> {
  // The compiler does not see that the source is of the row's kind.
  const open: (source: never, mount: Mount) => Tree | Promise<Tree> = OPENERS[source.kind];
  return open(source as never, { path, limits: completeLimits(limits), skip, context });
}

/** Returns all limits of a mount; throws `BadRequest` for one that the filesystem cannot meet. */
export function completeLimits(chosen: Partial<MountLimits>): MountLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  if (limits.maxNameBytes > MAX_NAME_BYTES_CEILING) {
    throw new TreeglassError(
      "BadRequest",
      `maxNameBytes is ${limits.maxNameBytes}; longer names than ${MAX_NAME_BYTES_CEILING} bytes cannot be listed, so choose no more than that`,
    );
  }
  return limits;
}

/** Throws `BadRequest` for an object that only has the tag of what a caller may pass. */
function requireGenuine(isGenuine: boolean): void {
  if (!isGenuine) {
    throw malformed();
  }
}

type ListEntries = (context: SourceContext) => Promise<void>;

function listed(mount: Mount, list: ListEntries): Promise<Tree> {
  return builtBy(new TreeBuilder(mount.path, mount.limits, mount.skip, false), mount, list);
}

function listedArchive(mount: Mount, list: ListEntries): Promise<Tree> {
  return builtBy(new TreeBuilder(mount.path, mount.limits, mount.skip, true), mount, list);
}

async function builtBy(builder: TreeBuilder, mount: Mount, list: ListEntries): Promise<Tree> {
  await list({ ...mount.context, builder });
  return builder.finish();
}

async function prefetched(tree: Tree, { context }: Mount): Promise<Tree> {
  if (tree.root.kind === "directory") {
    await prefetchFiles(tree.root, context);
  }
  return tree;
}
