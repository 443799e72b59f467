/** Sources listed without a worker around them. */
import assert from "node:assert/strict";
import { takeSource } from "../../src/client/wire-source.ts";
import type { MountLimits, MountReport, ProgressEvent } from "../../src/protocol/mount-report.ts";
import type { WireSource } from "../../src/protocol/source-kinds.ts";
import type { Sendable } from "../../src/session/sendable.ts";
import { openSource } from "../../src/sources/open-source.ts";
import type { BlobReader } from "../../src/sources/random-access.ts";
import type { FilesOpener, MountContext } from "../../src/sources/source-context.ts";
import type { DirectoryEntry, FileEntry, Tree, TreeEntry } from "../../src/sources/tree.ts";
import { openNoFiles } from "./files/wire.ts";
import { NO_ZLIB, workerHostWith } from "./hosts.ts";
import { startZlib } from "./python/zlib.ts";

export interface ListOptions {
  readonly limits?: Partial<MountLimits>;
  readonly skip?: readonly string[];
  readonly readBlob?: BlobReader;
  readonly openFiles?: FilesOpener;
  readonly report?: (event: ProgressEvent) => void;
  readonly signal?: AbortSignal;
  readonly openDecompressor?: MountContext["openDecompressor"];
}

/** A tree that was listed when it was opened. */
export type ListedTree = Tree & { readonly root: DirectoryEntry };

/** Lists a source as if it were mounted at `/project`. */
export async function listSource(
  source: WireSource,
  options: ListOptions = {},
): Promise<ListedTree> {
  const { limits = {}, skip = [], readBlob } = options;
  const zlib = source.kind === "archive" ? await startZlib() : NO_ZLIB;
  const { root, ...report } = await openSource(
    { path: "/project", source, limits, skip, replace: false },
    {
      host: workerHostWith(readBlob === undefined ? {} : { readBlob }),
      openFiles: options.openFiles ?? openNoFiles,
      checkpoint: async () => undefined,
      report: options.report ?? (() => undefined),
      signal: options.signal ?? new AbortController().signal,
      zlib: () => zlib,
      openDecompressor: options.openDecompressor ?? (() => zlib.openGzip()),
    },
  );
  assert(root.kind === "directory");
  return { root, ...report };
}

/** Lists a flat object of paths. */
export function listEntries(
  entries: Readonly<Record<string, unknown>>,
  options: ListOptions = {},
): Promise<ListedTree> {
  return listSource({ kind: "entries", entries }, options);
}

/** Lists an archive. */
export function listArchive(
  archive: Blob | ArrayBuffer | Uint8Array,
  options: ListOptions = {},
): Promise<ListedTree> {
  return listSource({ kind: "archive", archive: structuredClone(archive) }, options);
}

/** Returns a source that may be sent at once. */
export function takenNow(source: object): Sendable<WireSource> {
  const taken = takeSource(source);
  assert(taken.prepare === undefined);
  return taken;
}

/** Returns a tree as nested lists of names: files with their text, links with their target. */
export function draw(directory: DirectoryEntry): Record<string, unknown> {
  return Object.fromEntries(
    [...directory.children].map(([name, entry]) => [name, drawEntry(entry)]),
  );
}

function drawEntry(entry: TreeEntry): unknown {
  switch (entry.kind) {
    case "directory":
      return draw(entry);
    case "symlink":
      return { symlink: entry.target };
    case "file":
      return readText(entry);
    case "deferred-file":
    case "deferred-directory":
    case "special":
      return entry.kind;
  }
}

/** Returns a file's whole text, or why it cannot be read. */
export function readText(file: FileEntry): string {
  const { content, sizeBytes } = file;
  try {
    switch (content.kind) {
      case "bytes":
        return new TextDecoder().decode(content.bytes);
      case "ranges":
        return new TextDecoder().decode(content.readRange(0, sizeBytes));
      case "whole":
        return new TextDecoder().decode(content.readWhole());
      case "remote":
        return "remote";
    }
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns the report of a tree, without the tree. */
export function reportOf(tree: Tree): Omit<Tree, "root"> {
  const { root: _, ...report } = tree;
  return report;
}

/** Returns a report with these members; the others are those of an empty tree. */
export function reportWith<Members extends Partial<MountReport>>(members: Members) {
  const counts = { files: 0, directories: 0, symlinks: 0, bytes: 0 };
  return { origin: null, ...counts, skipped: [], renamed: [], converted: [], ...members };
}
